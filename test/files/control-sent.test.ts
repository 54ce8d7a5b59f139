import { decodeSent, encodeSent, type SentRequest } from "../../src/files/control-sent";

const T = 1_780_000_000;

const sent: SentRequest = {
  request: { id: "k-1", kind: "prompt", text: "hi", author: "command", at: T, expiresAt: T + 600 },
  way: "terminal",
  files: [{ file: "/m/shop.md", digests: ["AbCdEfGh_-"] }],
};

test("a note is written as docs/control.md has it, and read again", () => {
  expect(JSON.parse(encodeSent(sent))).toEqual({
    version: 1,
    request: { version: 1, ...sent.request },
    way: "terminal",
    files: sent.files,
  });
  expect(decodeSent(encodeSent(sent))).toEqual({ outcome: "sent", sent });
});

test.each([
  ["cut", encodeSent(sent).slice(0, 40)],
  ["another version", JSON.stringify({ version: 2, ...sent })],
  ["without a request", JSON.stringify({ version: 1, way: "terminal", files: [] })],
  ["of a request that is none", JSON.stringify({ version: 1, request: { id: "../x" }, way: "terminal", files: [] })],
  [
    "nested deeper than any stack",
    `{"version":1,"request":{"version":${"[".repeat(20_000)}${"]".repeat(20_000)}},"way":"terminal","files":[]}`,
  ],
  ["of an unknown way", JSON.stringify({ version: 1, request: sent.request, way: "pigeon", files: [] })],
  ["of more files than are noted", JSON.stringify({ version: 1, ...sent, files: Array(300).fill(sent.files[0]) })],
])("a note that is %s is refused with a reason", (_what, text) => {
  expect(decodeSent(text)).toEqual({ outcome: "refused", reason: expect.stringMatching(/./) as string });
});
