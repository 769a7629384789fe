import { AssayError } from "@assay/schemas/errors"
import { visibleCharacter } from "@assay/schemas"

const MAX_QUOTED_CHARACTERS = 200

/** Quotes `text` for a message. Invisible characters are shown as `⟨U+202E⟩`, and long texts are truncated. */
export function quotePath(text: string): string {
  const start = text
    .slice(0, MAX_QUOTED_CHARACTERS)
    .replaceAll(/[\p{C}\p{Z}]/gu, (character) => (character === " " ? character : visibleCharacter(character)))
  return text.length > MAX_QUOTED_CHARACTERS ? `'${start}…'` : `'${start}'`
}

declare const brand: unique symbol

/**
 * The path of a file in a storage, parsed once at the entry: relative, separated by `/`, any Unicode, at most 1024
 * bytes of UTF-8 and 255 in each segment. It has no empty segment, no `.` or `..`, no backslash and no control
 * character.
 */
export type FilePath = string & { readonly [brand]: "FilePath" }

export const MAX_PATH_BYTES = 1024
export const MAX_SEGMENT_BYTES = 255

/** C0, DEL and C1 control characters. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Control characters for bidirectional text. They can show `cod.exe` as `exe.doc`. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/

/** Returns why `name` is not a valid segment, as the end of a sentence, or undefined if it is. */
function segmentFault(name: string): string | undefined {
  if (name === "") return "has an empty segment; write one slash between two names and none at the ends"
  if (name === "." || name === "..") return `has the segment '${name}'; write the path that is meant`
  if (name.includes("\\")) return "has a backslash; separate segments with '/'"
  if (CONTROL.test(name)) return "has a control character; leave it out"
  if (!name.isWellFormed()) return "has an unpaired surrogate, which is not a character; leave it out"
  if (Buffer.byteLength(name) > MAX_SEGMENT_BYTES) {
    return `has a segment of more than ${MAX_SEGMENT_BYTES} bytes; shorten it`
  }
  return undefined
}

function pathFault(text: string): string | undefined {
  if (text === "") return "is empty; name a file"
  if (text.startsWith("/")) return "begins with a slash; write it relative"
  // Check the length in UTF-16 first, so that a text of many megabytes is not split.
  if (text.length > MAX_PATH_BYTES || Buffer.byteLength(text) > MAX_PATH_BYTES) {
    return `has more than ${MAX_PATH_BYTES} bytes; shorten it`
  }
  for (const segment of text.split("/")) {
    const fault = segmentFault(segment)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Parses a path. Nothing is corrected: a path that breaks a rule is refused.
 * @throws `bad_path` that names the path and the rule
 */
export function parseFilePath(text: string): FilePath {
  if (isFilePath(text)) return text
  throw new AssayError("bad_path", `Path ${quotePath(text)} ${pathFault(text)}.`, {
    context: { path: quotePath(text) },
  })
}

/**
 * Parses the path of a file to be written. Names that could deceive a reader are refused. Existing files with such
 * names can be listed, read and deleted.
 * @throws `bad_path`
 */
export function parseNewFilePath(text: string): FilePath {
  const path = parseFilePath(text)
  if (!BIDIRECTIONAL.test(path)) return path
  const why =
    "has a bidirectional control character (U+202A–U+202E, U+2066–U+2069), which can disguise a name; leave it out"
  throw new AssayError("bad_path", `Path ${quotePath(path)} ${why}.`, { context: { path: quotePath(path) } })
}

/**
 * Parses the prefix of a listing: a path with or without a slash at its end, or the empty text. Returns the path without the slash.
 * @throws `bad_path`
 */
export function parsePrefix(prefix: string): FilePath | "" {
  return prefix === "" ? "" : parseFilePath(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix)
}

/** Returns the path of a file in a folder. @throws `bad_path` if it is too long */
export function filePathIn(folder: FilePath, path: FilePath): FilePath {
  return parseFilePath(`${folder}/${path}`)
}

/** Returns a path relative to a folder above the file. */
export function filePathBelow(folder: FilePath, path: FilePath): FilePath {
  return parseFilePath(path.slice(folder.length + 1))
}

export function isFilePath(text: string): text is FilePath {
  return pathFault(text) === undefined
}

/**
 * Compares two texts by code point, which is also the order of their UTF-8 bytes. JavaScript's `<` compares UTF-16
 * units and therefore puts U+10000 and above, which are written as surrogates, before U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units, to the order of their code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/**
 * Returns the folder part of a relative path: `a/b` for `a/b/c`. Returns the empty text for a name without a folder.
 */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

/** Returns the last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** Appends `name` to `folder`. The empty text is the root. */
export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`
}
