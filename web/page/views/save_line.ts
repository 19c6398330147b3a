import type { SaveState } from "../desk/draft_sync.ts";
import { clock } from "../times.ts";
import { say } from "../words.ts";

/** Returns the state of the draft in words. */
export function describeSave(state: SaveState): string {
  switch (state.kind) {
    case "idle":
      return say("PageKeptAsTyped");
    case "saving":
      return say("PageSaving");
    case "saved":
      return say("PageSavedAt", clock(state.at));
    case "offline":
      return say("PageUnsavedOffline", state.waiting);
    case "signed_out":
      return say("PageUnsavedSignedOut", state.waiting);
    case "refused":
      return state.words;
  }
}
