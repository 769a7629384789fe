import { crc32 } from "node:zlib"

/** The end of the part of a journal that was read: the bytes of `record` before `offset`. A journal that is one file is record 0. */
export interface JournalPosition {
  readonly record: number
  readonly offset: number
}

/** Whole lines of a journal, and where they begin. */
export interface JournalPiece extends JournalPosition {
  readonly bytes: Uint8Array
}

export const START: JournalPosition = { record: 0, offset: 0 }

/** Returns the position after a piece. */
export function endOf({ record, offset, bytes }: JournalPiece): JournalPosition {
  return { record, offset: offset + bytes.byteLength }
}

/** Returns whether a piece follows directly after `position`. The numbers of records have gaps. */
export function isNext({ record, offset }: JournalPosition, piece: JournalPiece): boolean {
  return piece.record === record ? piece.offset === offset : piece.record > record && piece.offset === 0
}

/** Returns whether a position comes before another one. */
export function isBefore(a: JournalPosition, b: JournalPosition): boolean {
  return a.record === b.record ? a.offset < b.offset : a.record < b.record
}

/** Returns whether a piece begins at or after a position. */
export function isAfter({ record, offset }: JournalPiece, end: JournalPosition): boolean {
  return record === end.record ? offset >= end.offset : record > end.record
}

/** The end of the last line that was read, without its line end, by which a journal is recognised. */
export interface JournalTail {
  readonly record: number
  readonly start: number
  readonly length: number
  /** CRC-32 of the text. */
  readonly checksum: number
}

const MAX_TAIL = 4096

/** Returns the tail of a piece. */
export function tailOf({ record, offset, bytes }: JournalPiece): JournalTail {
  const end = bytes.length - 1
  const start = Math.max(bytes.lastIndexOf(NEWLINE, end - 1) + 1, end - MAX_TAIL, 0)
  const text = Buffer.from(bytes.subarray(start, end)).toString()
  return { record, start: offset + start, length: end - start, checksum: crc32(text) }
}

/** Returns whether a text that was read at the position of a tail is the same one. */
export function isTail({ checksum }: JournalTail, text: string | undefined): boolean {
  return text !== undefined && crc32(text) === checksum
}

const NEWLINE = 10
