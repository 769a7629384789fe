import { KERNEL } from "./number-kernel.ts"
import type { KeptNumbers } from "./parse-exact-json.ts"
import { isDigit, isOfNumber, isSuspect } from "./suspect-number.ts"

/** Bytes that are looked at in one call: they stay in the processor's cache for whoever reads them next. */
const WINDOW = 65_536
/** What two windows share, so that no number is in neither of them. */
const SHARED = 16
/** Where the first byte of a window stands in the memory of the kernel. */
const FIRST = 16
/** What the kernel may read behind the last byte. */
const BEHIND = 128
const NEWLINE = 10
/** Shorter blocks are looked at sooner than the kernel is there. */
const LONG_BLOCK = 16_384
const NONE: readonly number[] = []

/** Where numbers begin that `JSON.parse` may change, in a row from one byte to another, from its first byte on. Asked for rows in order. */
export type ListSuspects = (start: number, end: number) => readonly number[]

/** Looks for numbers that would change, one block of JSON after another. */
export interface NumberFinder {
  /** What was opened before is used no longer. */
  readonly open: (bytes: Buffer, kept: KeptNumbers) => ListSuspects
}

interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly find: (at: number, end: number, rewritten: number) => number
}

/**
 * Creates a finder, whose memory takes 128 KiB once it has a long block. It never misses a number, and takes digits in strings for numbers if what is around
 * them is as around numbers. Bytes are looked at 16 at a time in WebAssembly: a text without such numbers is to be read at full speed.
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

/** What the platform has for WebAssembly, and the compiler's library does not. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** Null where WebAssembly can't run, as with `node --jitless`. */
function openKernel(): Kernel | null {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi }
  if (WebAssembly === undefined) return null
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNEL, "base64"))).exports as Kernel
  } catch {
    return null
  }
}

/** The first place from one on, in or behind a number, that is to be looked at; above the length of the bytes if there is none. */
type NextHit = (from: number) => number

function createKernelSearch({ memory, find }: Kernel, bytes: Buffer, kept: KeptNumbers): NextHit {
  const { length } = bytes
  const places = new Uint8Array(memory.buffer, 0, FIRST + WINDOW + BEHIND)
  const rewritten = kept === "text" ? -1 : 0
  let start = 0
  let end = -1
  let last = -1

  function load(from: number): void {
    start = from
    end = Math.min(length, start + WINDOW)
    last = end === length ? end : end - SHARED
    places[FIRST - 1] = start === 0 ? NEWLINE : (bytes[start - 1] as number)
    places.set(bytes.subarray(start, end), FIRST)
    // A number may end with the bytes.
    places.fill(NEWLINE, FIRST + end - start, FIRST + end - start + BEHIND)
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

/** Looks for the next number only when the one that is known was passed. */
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
      // A hit may be behind its number.
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
