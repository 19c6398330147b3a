// The properties of the element that are its attributes.

/** Attributes that are there or not. */
export const FLAGS = ["disabled", "busy", "review", "overview", "host-review", "draft-only", "form-note", "one-question"] as const;

/** Properties that are their attribute. */
export const REFLECTED = { disabled: "disabled", busy: "busy", review: "review", overview: "overview", hostReview: "host-review", draftOnly: "draft-only", formNote: "form-note", oneQuestion: "one-question", name: "name", deskLink: "desk-link" } as const;

/** Defines these properties. */
export function reflectAttributes(prototype: HTMLElement): void {
  for (const [property, attribute] of Object.entries(REFLECTED)) {
    const isFlag = FLAGS.some((flag) => flag === attribute);
    Object.defineProperty(prototype, property, {
      get(this: HTMLElement) {
        return isFlag ? this.hasAttribute(attribute) : this.getAttribute(attribute) ?? "";
      },
      set(this: HTMLElement, value: unknown) {
        if (isFlag) this.toggleAttribute(attribute, Boolean(value));
        else this.setAttribute(attribute, String(value));
      },
    });
  }
}
