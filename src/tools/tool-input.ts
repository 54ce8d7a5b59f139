import { SessionsError } from "../session/failure";

/** How long a text of an input may be, in characters, and how many a list may hold. */
const TEXT_LIMIT = 400;
const LIST_LIMIT = 50;

/**
 * What a model gave to a tool, read field by field: it may hold anything, whatever the tool's schema says. A field that
 * is null, blank or an empty list counts as absent, since models fill in what they leave open.
 */
export class ToolInput {
  private readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param known the fields there are
   * @throws SessionsError `usage` for what is no object, and for a field that is not known: ignored, it would do less or
   *   more than was meant
   */
  constructor(
    input: unknown,
    private readonly known: readonly string[],
  ) {
    const given = input ?? {};
    if (typeof given !== "object" || Array.isArray(given)) throw this.refusal("The input is no object.");
    this.fields = Object.fromEntries(Object.entries(given));
    const strange = Object.keys(this.fields).find((name) => !known.includes(name));
    if (strange !== undefined) throw this.refusal(`There is no field ${JSON.stringify(strange.slice(0, 60))}.`);
  }

  /** @throws SessionsError `usage` */
  flag(name: string): boolean {
    const value = this.fields[name] ?? false;
    if (typeof value !== "boolean") throw this.refusal(`${name} has to be true or false.`);
    return value;
  }

  /** @throws SessionsError `usage` */
  text(name: string): string | undefined {
    const value = this.fields[name] ?? "";
    if (typeof value !== "string") throw this.refusal(`${name} has to be a text.`);
    if (value.length > TEXT_LIMIT) throw this.refusal(`${name} is longer than ${TEXT_LIMIT} characters.`);
    return value.trim() === "" ? undefined : value.trim();
  }

  /** @throws SessionsError `usage`, for a single text as well: whether it names one or several is the model's to say */
  texts(name: string): string[] {
    const value = this.fields[name] ?? [];
    if (!Array.isArray(value)) throw this.refusal(`${name} has to be a list of texts.`);
    if (value.length > LIST_LIMIT) throw this.refusal(`${name} holds more than ${LIST_LIMIT} texts.`);
    return value.map((each: unknown) => {
      if (typeof each !== "string" || each.trim() === "" || each.length > TEXT_LIMIT) {
        throw this.refusal(`${name} has to be a list of texts, none of them empty or over ${TEXT_LIMIT} characters.`);
      }
      return each.trim();
    });
  }

  /**
   * The sessions meant: named by `ids`, or all by `all`.
   *
   * @throws SessionsError `usage` unless exactly one of both is given
   */
  sessions(): readonly string[] | "all" {
    const ids = this.texts("ids");
    const all = this.flag("all");
    if (all && ids.length > 0) throw this.refusal("Both ids and all are given.", "Give one of them.");
    if (!all && ids.length === 0) throw this.refusal("Neither ids nor all is given.", "Give one of them.");
    return all ? "all" : ids;
  }

  private refusal(what: string, next = `Fields: ${this.known.join(", ")}.`): SessionsError {
    return new SessionsError("usage", what, next);
  }
}
