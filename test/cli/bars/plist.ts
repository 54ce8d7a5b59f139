/** A value of a property list (its DTD, PropertyList-1.0): what a workflow has of them. */
export type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };

/** Reads an XML property list strictly: elements, entities and keys that are not in the DTD fail, as do doubled keys. */
export function parsePlist(xml: string): Plist {
  const head =
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<!DOCTYPE plist PUBLIC "-\/\/Apple\/\/DTD PLIST 1\.0\/\/EN" "http:\/\/www\.apple\.com\/DTDs\/PropertyList-1\.0\.dtd">\s*/;
  const whole = head.exec(xml)?.[0];
  if (whole === undefined) throw new Error("no head of a property list");
  const tokens = Array.from(xml.slice(whole.length).matchAll(/<[^>]*>|[^<]+/g), ([token]) => token);
  const reader = new Reader(tokens);
  reader.take('<plist version="1.0">');
  const value = reader.value();
  reader.take("</plist>");
  reader.end();
  return value;
}

class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  take(expected: string): void {
    const token = this.next();
    if (token !== expected) throw new Error(`${expected} expected, not ${token}`);
  }

  end(): void {
    this.skipSpace();
    if (this.at < this.tokens.length) throw new Error(`more after the end: ${this.tokens[this.at]}`);
  }

  value(): Plist {
    const token = this.next();
    switch (token) {
      case "<dict>":
        return this.dict();
      case "<array>":
        return this.array();
      case "<dict/>":
        return {};
      case "<array/>":
        return [];
      case "<true/>":
        return true;
      case "<false/>":
        return false;
      case "<string/>":
        return "";
      case "<string>":
        return this.text("</string>");
      case "<integer>":
        return this.number("</integer>", /^[+-]?\d+$/);
      case "<real>":
        return this.number("</real>", /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/);
      default:
        throw new Error(`not a value: ${token}`);
    }
  }

  private dict(): Plist {
    const entries = new Map<string, Plist>();
    while (!this.isNext("</dict>")) {
      this.take("<key>");
      const key = this.text("</key>");
      if (entries.has(key)) throw new Error(`twice: ${key}`);
      entries.set(key, this.value());
    }
    this.take("</dict>");
    return Object.fromEntries(entries);
  }

  private array(): Plist {
    const values: Plist[] = [];
    while (!this.isNext("</array>")) values.push(this.value());
    this.take("</array>");
    return values;
  }

  private number(end: string, form: RegExp): number {
    const text = this.text(end);
    if (!form.test(text)) throw new Error(`not a number: ${text}`);
    return Number(text);
  }

  /** The text up to an end tag, entities resolved. */
  private text(end: string): string {
    const token = this.tokens[this.at] ?? "";
    const text = token.startsWith("<") ? "" : token;
    if (text !== "") this.at += 1;
    this.take(end);
    return text.replace(/&([^;]*);?/g, (whole, name: string) => {
      const meant = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name];
      if (meant === undefined || !whole.endsWith(";")) throw new Error(`not an entity: ${whole}`);
      return meant;
    });
  }

  private isNext(token: string): boolean {
    this.skipSpace();
    return this.tokens[this.at] === token;
  }

  private next(): string {
    this.skipSpace();
    const token = this.tokens[this.at];
    if (token === undefined) throw new Error("ends too early");
    this.at += 1;
    return token;
  }

  private skipSpace(): void {
    while (this.tokens[this.at]?.trim() === "") this.at += 1;
  }
}
