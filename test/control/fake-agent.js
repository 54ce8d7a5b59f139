// A program at a terminal as agents are: raw keys, bracketed pastes, "!" in an empty line begins a shell mode, C-u takes
// back one line, Backspace a letter and then the shell mode, Enter sends what there is, Escape stops. It tells what it
// read to the socket named first.
const { connect } = require("node:net");
const [, , path] = process.argv;
const socket = connect(path);
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);

let line = "";
let isPasting = false;
let isShell = false;
process.stdin.setRawMode(true);
process.stdout.write("\x1b[?2004h");
process.stdout.write("> ");
process.stdin.on("data", (bytes) => {
  let rest = bytes.toString("utf8");
  while (rest !== "") {
    // eslint-disable-next-line no-control-regex
    const mark = /^\x1b\[(200|201)~/.exec(rest);
    if (mark !== null) {
      isPasting = mark[1] === "200";
      rest = rest.slice(mark[0].length);
      continue;
    }
    const letter = String.fromCodePoint(rest.codePointAt(0));
    rest = rest.slice(letter.length);
    if (letter === "\x05") continue;
    if (letter === "\x15") line = line.endsWith("\n") ? line.slice(0, -1) : line.slice(0, line.lastIndexOf("\n") + 1);
    else if (letter === "\x7f" && line === "") isShell = false;
    else if (letter === "\x7f") line = line.slice(0, -1);
    else if (letter === "!" && line === "" && !isPasting) isShell = true;
    else if (letter === "\x1b") tell({ escape: true });
    else if (letter === "\r" && !isPasting) {
      tell(isShell ? { run: line } : { sent: line });
      line = "";
    } else line += letter === "\r" ? "\n" : letter;
    process.stdout.write(letter === "\r" ? "\r\n> " : letter >= " " ? letter : "");
  }
});
// Whoever watches has gone, or the terminal has.
socket.on("close", () => process.exit());
process.stdin.on("end", () => process.exit());
process.stdin.on("error", () => process.exit());
socket.on("connect", () => tell({ pid: process.pid }));
