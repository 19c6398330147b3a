// Count of the lines that were drawn. Each block has a ruler with a mark for each line; a mark that was in view was drawn,
// and one that a jump passed over was not.
import { fill, h } from "../dom.ts";
import type { SeenLines } from "../api.ts";

/** Marks of a ruler: lines behind the last one count as never drawn. */
const MOST_MARKS = 20_000;

/** Ruler of a block. */
interface Ruler {
  total: number;
  drawn: boolean[];
}

/** Counts the lines of some blocks that were drawn. */
export class LineCounter {
  #rulers = new Map<Element, Ruler>();
  #changed: () => void;
  #drawn = new IntersectionObserver((entries) => this.#note(entries), { threshold: 0.9 });
  #sizes = new ResizeObserver((entries) => entries.forEach(({ target, contentRect }) => this.#measure(target, contentRect.height)));

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Counts the lines of a block. */
  watch(block: HTMLElement): void {
    const ruler = h("span", { class: "ruler", "aria-hidden": true });
    block.append(ruler);
    this.#rulers.set(ruler, { total: 0, drawn: [] });
    this.#sizes.observe(ruler);
  }

  /** Returns the count, unless all lines were drawn. */
  get seen(): SeenLines | null {
    const rulers = [...this.#rulers.values()];
    const total = rulers.reduce((sum, ruler) => sum + ruler.total, 0);
    const shown = rulers.reduce((sum, { drawn }) => sum + drawn.filter(Boolean).length, 0);
    return shown < total ? { shown, total } : null;
  }

  /** Scrolls to the first line that was not drawn. */
  showFirst(): void {
    for (const [ruler, { drawn }] of this.#rulers) {
      const mark = ruler.children[drawn.indexOf(false)];
      if (mark !== undefined) return mark.scrollIntoView({ block: "center" });
    }
  }

  /** Makes the marks anew for another height: a new line was drawn if all that is on it was. */
  #measure(element: Element, height: number): void {
    const ruler = this.#rulers.get(element);
    const total = Math.max(1, Math.round(height / Number.parseFloat(getComputedStyle(element).lineHeight)));
    // What is not laid out has no lines.
    if (ruler === undefined || height === 0 || total === ruler.total) return;
    const { drawn, total: before } = ruler;
    const wasDrawn = (line: number) => {
      const [from, to] = [Math.floor(line * before / total), Math.ceil((line + 1) * before / total)];
      return before > 0 && Array.from({ length: to - from }, (_, at) => drawn[from + at]).every(Boolean);
    };
    ruler.drawn = Array.from({ length: Math.min(total, MOST_MARKS) }, (_, line) => wasDrawn(line));
    ruler.total = total;
    for (const mark of element.children) this.#drawn.unobserve(mark);
    fill(element, ...ruler.drawn.map(() => h("i")));
    for (const mark of element.children) this.#drawn.observe(mark);
    this.#changed();
  }

  #note(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const ruler = target.parentElement === null ? undefined : this.#rulers.get(target.parentElement);
      if (ruler === undefined || !isIntersecting) continue;
      ruler.drawn[[...target.parentElement?.children ?? []].indexOf(target)] = true;
      this.#drawn.unobserve(target);
    }
    this.#changed();
  }
}
