import { StringDecoder } from "node:string_decoder"
import { stripVTControlCharacters } from "node:util"
import { removeSecrets } from "@assay/inference"
import type { HarnessFindings, HarnessLogLine } from "./harness-ports.ts"

const MAX_CHARACTERS = 16 * 1024 * 1024
const LAST_LINES = 5

interface HarnessLogOptions {
  /** Values that are removed from each line. */
  readonly secrets: readonly string[]
  readonly onLog: (line: HarnessLogLine) => void
  readonly findings: Pick<HarnessFindings, "addLogLine">
  /** Default 16 Mi. */
  readonly maxCharacters?: number
}

/** The log of a harness: its lines without secrets, up to a size. All lines are searched for conditions. */
interface HarnessLog {
  add(line: string): void
  /** Returns the last 5 lines. */
  last(): readonly string[]
}

export function createHarnessLog(options: HarnessLogOptions): HarnessLog {
  const { secrets, onLog, findings, maxCharacters = MAX_CHARACTERS } = options
  const last: string[] = []
  let left = maxCharacters
  let isFull = false
  return {
    add(line) {
      const clean = removeSecrets(line, secrets)
      last.push(clean)
      if (last.length > LAST_LINES) last.shift()
      findings.addLogLine(clean)
      left -= clean.length
      if (left >= 0) return onLog({ level: levelOf(clean), message: clean })
      if (!isFull)
        onLog({
          level: "warn",
          message: `The harness wrote more than ${maxCharacters} characters; the rest is not kept.`,
        })
      isFull = true
    },
    last: () => [...last],
  }
}

/** Finds the level by the words of a line. Standard error says nothing: programs write progress there too. */
function levelOf(line: string): HarnessLogLine["level"] {
  if (/\b(ERROR|CRITICAL|FATAL)\b|^Traceback |^[\w.]*(Error|Exception)\b/.test(line)) return "error"
  return /\bWARN(ING)?\b/.test(line) ? "warn" : "info"
}

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
