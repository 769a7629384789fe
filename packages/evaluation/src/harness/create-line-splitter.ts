import { StringDecoder } from "node:string_decoder"
import { stripVTControlCharacters } from "node:util"

/** Longer lines are cut at this length and continue in the next line. */
const MAX_LINE = 16_384
/** A progress bar writes a carriage return instead of a line end. */
const END = /\r\n|\n|\r/

interface LineSplitter {
  write(bytes: Uint8Array): void
  /** Passes on the text after the last line end. */
  end(): void
}

/** Splits the output of a command into lines, without colours and blank lines. Keeps at most one line in memory. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder("utf8")
  let rest = ""

  function emit(line: string): void {
    const plain = stripVTControlCharacters(line).trimEnd()
    if (plain !== "") onLine(plain)
  }

  function take(text: string): void {
    const lines = (rest + text).split(END)
    rest = lines.pop() ?? ""
    lines.forEach(emit)
    while (rest.length > MAX_LINE) {
      emit(rest.slice(0, MAX_LINE))
      rest = rest.slice(MAX_LINE)
    }
  }

  return {
    write: (bytes) => take(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    end() {
      take(decoder.end())
      emit(rest)
      rest = ""
    },
  }
}
