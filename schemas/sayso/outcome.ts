// Made by `sayso schema sayso --as typescript --outcome`: do not edit.

/** Outcome of an ask. */
export type Outcome = {
  /** The version of this format: 1. */
  sayso: number;
  /** The ask. */
  ask: AskId;
  /** True if the answers give the consent that was asked for; omitted if none was. */
  approved?: boolean;
} & (
  /** A person answered. */
  | {
    outcome: "answered";
    /** The replies as submitted. The note on the whole form is that of the empty id. */
    replies: Record<string, Reply>;
    /** Receipt of the person. */
    receipt: Receipt;
    /** For an asker that judges: its verdict. */
    verdict?: AskerVerdict;
    /** JSON of a program that answered, for askers that receive exactly that. */
    as_sent?: unknown;
  }
  /** A person declined. */
  | {
    outcome: "declined";
    /** Receipt of the person. */
    receipt: Receipt;
    /** Reason, if one was given. */
    reason?: string;
  }
  /** The asker cancelled the question. */
  | {
    outcome: "cancelled";
    /** Time of it. */
    at: string;
    /** The reason, if the asker's host ended the ask. */
    reason?: CancelReason;
  }
  /** The deadline passed without an answer. */
  | {
    outcome: "expired";
    /** Deadline that passed. */
    at: string;
  });

/** Reason why an asker's host ended an ask: an answer at the desk would reach no one. */
export type CancelReason =
  /** It was answered in the host's own dialog. */
  | "answered_in_host"
  /** The turn or the session that asked has ended. */
  | "session_ended"
  /** The host's process has ended. */
  | "host_ended"
  /** No one answered at the desk in time, or the host cancelled it and asks by itself. */
  | "given_back";

/** Verdict of the asker on an answer. */
export type AskerVerdict =
  /** The asker accepted the answer. */
  | "accepted"
  /** The asker was gone and did not return in time. */
  | "none";

/** Record of an answer: the person, the place, the assurance, the time, and the digest of the questions. */
export interface Receipt {
  /** The person's name. */
  by: string;
  /** Place of the answer. */
  surface: Surface;
  /** Assurance of the desk that a person was there. */
  assurance: Assurance;
  /** Time of it. */
  at: string;
  /** The digest of what was shown. */
  shown: string;
  /** `desk_file` or `outside_audience`, if the person was not known to be in the audience. */
  access?: AskAccess;
  /** Audience of the ask, if it was opened for some. */
  audience?: Audience;
  /** The questions whose answers were left out because they are not asked. */
  dropped?: QuestionId[];
  /** The lines of the approved action that were drawn, unless all were. */
  seen?: SeenLines;
}

/** Number of lines that were drawn of an action, a plan or the context of a consent. */
export interface SeenLines {
  /** Number of lines that were drawn. */
  shown: number;
  /** Number of all lines. */
  total: number;
}

/** Accounts and groups that may see and answer an ask. It is fixed when the ask opens. */
export interface Audience {
  /** Accounts. */
  accounts?: string[];
  /** Groups of accounts. */
  groups?: string[];
}

/** Access of a person to an ask without being in its audience. */
export type AskAccess =
  /** The person opened the desk's file. */
  | "desk_file"
  /** An admin who is not in the audience opened it. */
  | "outside_audience";

/** Assurance of the desk that a person was there. */
export type Assurance =
  /** A program gave the answer. */
  | "scripted"
  /** A page that is not the desk's own states, through its element, that a person answered. */
  | "embedded"
  /** The program that the asker runs in states that a person answered. */
  | "relayed"
  /** A session that a service opened for its user; the service identifies the user. */
  | "service_session"
  /** A person's token was used; where the person answered is the program's own statement. */
  | "token"
  /** A browser that a person signed in by typing a code once. */
  | "browser_session"
  /** The answer was typed at a terminal. */
  | "terminal";

/** Place where a person answers. */
export type Surface =
  /** The line prompter. */
  | "prompter"
  /** The full screen: the inbox. */
  | "inbox"
  /** A command that takes answers as an argument. */
  | "command"
  /** Lines on a piped standard input. */
  | "pipe"
  /** A dialog of the program that the asker runs in. */
  | "dialog"
  /** A program that calls the desk over HTTP. */
  | "http"
  /** The desk's own page, in a browser. */
  | "page"
  /** The questionnaire element in a page that is not the desk's own. */
  | "element";

/** Reply to one question. */
export interface Reply {
  /** Answer that was given. */
  state: ReplyState;
  /** True if checking the answer against its pattern took too many steps: check it yourself. */
  pattern_not_checked?: boolean;
  /** The answer, if any. */
  answer?: Answer;
  /** For a question that was not asked: the question whose answer decided that. */
  because?: QuestionId;
  /** A note of the person on the answer. */
  note?: string;
  /** In a draft: a typed own answer that is not picked. It is never sent. */
  aside?: string;
}

/** A question within its questionnaire. Formats without ids number them `q0`, `q1`, … */
export type QuestionId = string;

/** An answer, by the kind of its question. */
export type Answer =
  /** Picked options of a choice, in the order picked. */
  | {
    picks: Pick[];
  }
  /** Text, as typed. */
  | {
    text: string;
  }
  /** Yes or no. */
  | {
    confirm: boolean;
  }
  /** A step of a rating's scale. */
  | {
    rating: number;
  }
  /** A number. */
  | {
    number: Number;
  }
  /** A day. */
  | {
    date: string;
  }
  /** A time of day. */
  | {
    time: string;
  }
  /** A day with a time of day. */
  | {
    datetime: DateTime;
  };

/** A date with a time, `2026-03-01T14:00:00`, with or without an offset. */
export type DateTime = string;

/** A decimal number of at most 28 digits; a string of digits if JSON cannot express it exactly. */
export type Number = number | string;

/** One thing picked in a choice. */
export type Pick =
  /** One of the options. */
  | {
    option: OptionId;
  }
  /** An own answer, as typed. */
  | {
    other: string;
  };

/** An option within its question. Formats without ids number them `o1`, `o2`, …, as on the screen. */
export type OptionId = string;

export type ReplyState =
  /** No one answered it. */
  | "unanswered"
  /** The person skipped it deliberately. */
  | "skipped"
  /** It was not asked because of the answer to another question. */
  | "not_asked"
  /** It has an answer. */
  | "answered";

/**
 * Id of an ask: a UUID of version 7 (RFC 9562), so that ids sort by time, or a random one (version 4) if the asker's
 * format abbreviates ids.
 */
export type AskId = string;
