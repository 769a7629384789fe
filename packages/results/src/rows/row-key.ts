import { isEvaluationRow } from "./read-rows.ts"

/** The numbers that decide the order of a row, and its attempt. */
export interface RowKey {
  /** The position of the task. */
  readonly task: number
  readonly row: number
  readonly repeat: number
  readonly attempt: number
}

/** The character that journals write between the numbers of a row. */
const REPEAT = Buffer.from(',"repeat":')
const ATTEMPT = Buffer.from(',"attempt":')
const DIGIT = 48

/** Returns the function that reads the key of a line. Most lines begin like the one before, so few are parsed. */
export function createKeyReader(positions: Map<string, number>): (line: Buffer) => RowKey | undefined {
  let prefix = Buffer.alloc(0)
  let task = 0
  return (line) => {
    if (prefix.length > 0 && isAt(line, prefix, 0)) {
      const found = readNumbers(line, prefix.length)
      if (found !== undefined) return { task, ...found }
    }
    const parsed = parseLine(line)
    if (!isEvaluationRow(parsed)) return undefined
    prefix = Buffer.from(`{"task":${JSON.stringify(parsed.task)},"row_index":`)
    task = positionOf(parsed.task, positions)
    const { row_index: row, repeat, attempt } = parsed
    return { task, row, repeat, attempt }
  }
}

/** Reads the numbers of a row from where the first one is. Undefined: they are written in another way. */
function readNumbers(line: Buffer, at: number): Omit<RowKey, "task"> | undefined {
  const row = readNumber(line, at)
  if (row === undefined || !isAt(line, REPEAT, row.end)) return undefined
  const repeat = readNumber(line, row.end + REPEAT.length)
  if (repeat === undefined || !isAt(line, ATTEMPT, repeat.end)) return undefined
  const attempt = readNumber(line, repeat.end + ATTEMPT.length)
  return attempt && { row: row.value, repeat: repeat.value, attempt: attempt.value }
}

function readNumber(line: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0
  let end = at
  for (; end < at + 10; end++) {
    const digit = (line[end] ?? 0) - DIGIT
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
  }
  return end === at ? undefined : { value, end }
}

function isAt(line: Buffer, part: Buffer, at: number): boolean {
  return at + part.length <= line.length && line.compare(part, 0, part.length, at, at + part.length) === 0
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function positionOf(task: string, positions: Map<string, number>): number {
  const known = positions.get(task)
  if (known !== undefined) return known
  positions.set(task, positions.size)
  return positions.size - 1
}
