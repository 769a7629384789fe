import { KERNEL } from "./number-kernel.ts"
import { type KeptNumbers, isDigit, isOfNumber, isSuspect } from "./suspect-number.ts"

/** Bytes that are searched in one call. They are still in the processor's cache when they are parsed next. */
const WINDOW = 65_536
/** Overlap of two windows, so that no number is missed between them. */
const SHARED = 16
/** Offset of a window's first byte in the memory of the kernel. */
const FIRST = 16
/** Bytes that the kernel may read after the last byte. */
const PADDING = 128
const NEWLINE = 10
/** Shorter blocks are searched without the kernel, because creating it would take longer. */
const LONG_BLOCK = 16_384
const NONE: readonly number[] = []

/** Returns the offsets within a row of numbers that `JSON.parse` may change. Call it with rows in ascending order. */
export type ListSuspects = (start: number, end: number) => readonly number[]

/** Searches blocks of JSON for numbers that would change. */
export interface NumberFinder {
  /** Opens a block. The previous block can no longer be used. */
  readonly open: (bytes: Buffer, kept: KeptNumbers) => ListSuspects
}

interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly find: (at: number, end: number, rewritten: number) => number
}

/**
 * Creates a finder. It uses 128 KiB of memory from its first long block on. It never misses a number, and reports digits in strings if
 * the characters around them are like those around numbers. WebAssembly searches 16 bytes at a time, so that text without such numbers
 * is read at full speed.
 */
export function createNumberFinder(): NumberFinder {
  let kernel: Kernel | null | undefined
  return {
    open(bytes, kept) {
      if (bytes.length >= LONG_BLOCK && kernel === undefined) kernel = openKernel()
      const isShort = bytes.length < LONG_BLOCK || kernel === null || kernel === undefined
      const nextHit = isShort ? createDigitSearch(bytes) : createKernelSearch(kernel as Kernel, bytes, kept)
      return listSuspects(bytes, kept, nextHit)
    },
  }
}

/** The part of WebAssembly that is used, which is missing in the library types of the compiler. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** Creates the kernel; null if WebAssembly can't run, as with `node --jitless`. */
function openKernel(): Kernel | null {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi }
  if (WebAssembly === undefined) return null
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNEL, "base64"))).exports as Kernel
  } catch {
    return null
  }
}

/** Returns the first position from `from` on, in or after a number, that has to be checked; more than the length of the bytes if there is none. */
type NextHit = (from: number) => number

function createKernelSearch({ memory, find }: Kernel, bytes: Buffer, kept: KeptNumbers): NextHit {
  const { length } = bytes
  const window = new Uint8Array(memory.buffer, 0, FIRST + WINDOW + PADDING)
  const rewritten = kept === "text" ? -1 : 0
  let start = 0
  let end = -1
  let last = -1

  function load(from: number): void {
    start = from
    end = Math.min(length, start + WINDOW)
    last = end === length ? end : end - SHARED
    window[FIRST - 1] = start === 0 ? NEWLINE : (bytes[start - 1] as number)
    window.set(bytes.subarray(start, end), FIRST)
    // A number may end with the bytes.
    window.fill(NEWLINE, FIRST + end - start, FIRST + end - start + PADDING)
  }

  return (from) => {
    for (let at = from; ; at = last) {
      if (at < start || at > last || (at === last && last < end)) load(at)
      const hit = start + find(at - start, end - start + 1, rewritten)
      if (hit <= end) return hit
      if (end === length) return length + 1
    }
  }
}

function createDigitSearch(bytes: Buffer): NextHit {
  return (from) => {
    let at = from
    while (at < bytes.length && !isDigit(bytes[at] as number)) at++
    return at === bytes.length ? at + 1 : at
  }
}

/** Creates the function of a block. It searches for the next number only after the last one was passed. */
function listSuspects(bytes: Buffer, kept: KeptNumbers, nextHit: NextHit): ListSuspects {
  const { length } = bytes
  let start = -1
  let end = 0

  function find(from: number): void {
    for (let at = from; at < length; at = end) {
      const hit = nextHit(at)
      if (hit > length) break
      start = hit
      while (start > at && isOfNumber(bytes[start - 1] as number)) start--
      end = hit
      while (end < length && isOfNumber(bytes[end] as number)) end++
      if (isSuspect(bytes, start, end, kept)) return
      // A hit may be after its number.
      if (end === hit) end++
    }
    start = length
  }

  return (rowStart, rowEnd) => {
    if (start < rowStart) find(rowStart)
    if (start >= rowEnd) return NONE
    const suspects: number[] = []
    for (; start < rowEnd; find(end)) suspects.push(start - rowStart)
    return suspects
  }
}
