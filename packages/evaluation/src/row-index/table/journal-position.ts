/** The end of what was read of a journal: the bytes of `record` before `offset`. A journal that is one file is record 0. */
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

/** Returns whether a piece follows what was read up to `position`. The numbers of records have gaps. */
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
