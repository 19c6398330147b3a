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
    /** The replies as submitted. */
    replies: Record<string, Reply>;
    /** Receipt of the person. */
    receipt: Receipt;
    /** For an asker that judges: its verdict. */
    verdict?: Verdict;
    /** JSON of a program that answered, for askers that get exactly that. */
    as_sent?: unknown;
  }
  /** A person said no. */
  | {
    outcome: "declined";
    /** Receipt of the person. */
    receipt: Receipt;
    /** Reason, if one was given. */
    reason?: string;
  }
  /** The asker took the question back. */
  | {
    outcome: "cancelled";
    /** Time of it. */
    at: string;
    /** Reason, if the asker's host ended it. */
    reason?: CancelReason;
  }
  /** The deadline passed without an answer. */
  | {
    outcome: "expired";
    /** Deadline that passed. */
    at: string;
  });

/** Reason for which the host of an asker ended an ask of its own: an answer at the desk would reach no one. */
export type CancelReason =
  /** It was answered in the host's own dialog. */
  | "answered_in_host"
  /** The turn or the session that asked has ended. */
  | "session_ended"
  /** The host's process has ended. */
  | "host_ended"
  /** No one answered at the desk in time, or the host took it back: it asks by itself. */
  | "given_back";

/** Verdict of the asker on an answer. */
export type Verdict =
  /** It took the answer. */
  | "accepted"
  /** It was gone and did not come back in time. */
  | "none";

/** Record of an answer: the person, the surface, the assurance, the time, and the digest of the questions. */
export interface Receipt {
  /** The person's name. */
  by: string;
  /** Surface on which it was answered. */
  surface: Surface;
  /** Assurance of the desk that a person was there. */
  assurance: Assurance;
  /** Time of it. */
  at: string;
  /** The digest of what was shown. */
  shown: string;
  /** `desk_file` or `outside_audience`, where the person was not known to be in the audience. */
  access?: AskAccess;
  /** Those who might see and answer it, where it was opened for some. */
  audience?: Audience;
  /** The questions whose answers were left out, since they are not asked as things stand. */
  dropped?: QuestionId[];
  /** The lines that were drawn of what was approved, unless all were. */
  seen?: SeenLines;
}

/** Count of the lines that a surface drew of an action, a plan or the context of a consent. */
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

/** Way in which a person reached an ask, if that was not by being in its audience. */
export type AskAccess =
  /** The person opened the desk's file. */
  | "desk_file"
  /** An admin who is not in the audience opened it all the same. */
  | "outside_audience";

/** Assurance of the desk that a person was there. */
export type Assurance =
  /** A program gave the answer. */
  | "scripted"
  /** A page that is not the desk's own says that a person did, in its element. */
  | "embedded"
  /** The program that the asker runs in says that a person did. */
  | "relayed"
  /** A session that a service opened for its user: the service says who that is. */
  | "service_session"
  /** A person's token was shown; where they answered is what their program says. */
  | "token"
  /** A browser that a person let in with a code, which it typed once. */
  | "browser_session"
  /** It was typed at a terminal. */
  | "terminal";

/** Surface on which a person answers. */
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
  /** A program that speaks to the desk over HTTP. */
  | "http"
  /** The desk's own page, in a browser. */
  | "page"
  /** The questionnaire element in a page that is not the desk's own. */
  | "element";

/** Reply to one question. */
export interface Reply {
  /** Answer that was given. */
  state: State;
  /** True if checking the answer against its pattern took too many steps: check it yourself. */
  pattern_not_checked?: boolean;
  /** The answer, where there is one. */
  answer?: Answer;
  /** For a question that was not asked: the one whose answer decided that. */
  because?: QuestionId;
  /** A note of the person on the answer. */
  note?: string;
  /** In a draft: an own answer that was typed and is not picked. It is never sent. */
  aside?: string;
}

/** A question within its questionnaire. Dialects without ids number them: `q0`, `q1`, … */
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
    datetime: Moment;
  };

/** A date with a time, `2026-03-01T14:00:00`, with or without an offset. */
export type Moment = string;

/** A decimal number of at most 28 digits; a string of digits where JSON cannot say it exactly. */
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

/** An option within its question. Dialects without ids number them: `o1`, `o2`, …, as shown on the screen. */
export type OptionId = string;

export type State =
  /** No one answered it. */
  | "unanswered"
  /** A person passed over it on purpose. */
  | "skipped"
  /** It was not asked, because of the answer to another question. */
  | "not_asked"
  /** It has an answer. */
  | "answered";

/**
 * One ask at a desk: a UUID of version 7 (RFC 9562), so that ids sort by the time of asking, or a random one (version 4)
 * where the format of the asker calls an ask by its first characters.
 */
export type AskId = string;
