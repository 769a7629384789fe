import { StringDecoder } from "node:string_decoder"
import { stripVTControlCharacters } from "node:util"

/** Longer lines are cut there, and go on in the next. */
const LONGEST = 16_384
/** A progress bar returns to the beginning of its line instead of ending it. */
const END = /\r\n|\n|\r/

interface LineSplitter {
  write(bytes: Uint8Array): void
  /** What came after the last end of line. */
  end(): void
}

/** Cuts what a command writes into lines, without colours and blank lines. Holds one line at the most. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder("utf8")
  let rest = ""

  function tell(line: string): void {
    const plain = stripVTControlCharacters(line).trimEnd()
    if (plain !== "") onLine(plain)
  }

  function take(text: string): void {
    const lines = (rest + text).split(END)
    rest = lines.pop() ?? ""
    lines.forEach(tell)
    while (rest.length > LONGEST) {
      tell(rest.slice(0, LONGEST))
      rest = rest.slice(LONGEST)
    }
  }

  return {
    write: (bytes) => take(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    end() {
      take(decoder.end())
      tell(rest)
      rest = ""
    },
  }
}
