import type { TranscriptFacts } from "../session/transcript-facts";

/** A JSON object as it stands in a line. */
export type Values = Readonly<Record<string, unknown>>;

/** One line of a transcript, undecoded until it is asked for; it is only good while it is being taken. */
export interface TranscriptLine {
  /** Whether a pattern of ASCII characters stands anywhere in the line: the cheap question before `parsed`. */
  mentions(pattern: RegExp): boolean;
  /** The JSON object the line is; undefined when it is anything else, or cut. */
  parsed(): Values | undefined;
}

/**
 * What is gathered of one transcript. Lines of the beginning come in order, lines of the end last one first; where a
 * file is short the two overlap, and a line may be given to both.
 */
export interface TranscriptReading {
  /** Takes the next line of the beginning. */
  takeFirst(line: TranscriptLine): void;
  /** Whether more of the beginning could still tell something. */
  readonly wantsBeginning: boolean;
  /** Takes the line before the ones taken so far, from the last one backwards. */
  takeLast(line: TranscriptLine): void;
  /** Whether the end, as far as it was taken, lacks what must be known. */
  readonly wantsEnd: boolean;
  /** What is known by now. */
  facts(): TranscriptFacts;
}

/** One agent's transcripts: how they are read. Pure, and never throws. */
export type TranscriptFormat = () => TranscriptReading;

/** The session whose transcript is sought. */
export interface SoughtSession {
  sessionId: string;
  cwd?: string;
  /** The agent's configuration folder, where a source told it; absent: the usual one. */
  configDirectory?: string;
}

/** The names in a folder, none when it cannot be listed. */
export type FolderNames = (folder: string) => ReadonlySet<string>;

/** Where the transcripts of one agent lie, and how they are read. Pure. */
export interface TranscriptKind {
  /** The agent's one name. */
  agent: string;
  format: TranscriptFormat;
  /** Absolute paths where the transcript lies by the agent's own rule, the likeliest first. */
  likely(session: SoughtSession): readonly string[];
  /** Looks through the agent's folders for it, boundedly, when it lies at none of the likely paths. */
  search?(session: SoughtSession, names: FolderNames): string | undefined;
}
