import type { RandomSource } from "./random-source.ts"

type Damage = (text: string, random: RandomSource) => string
type Splice = (remains: string, safe: string, random: RandomSource) => string

const LOOKS_LIKE: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", s: "ѕ", c: "с", i: "і", y: "у", u: "υ" }
const JOINTS = ["\n", "\n\n", " ", ". ", ", ", "; ", " - ", "\t", " | ", ": ", "", ","] as const
const GLUED = [
  "The",
  "It",
  "This",
  "Note",
  "S1",
  "Categories",
  "the",
  "It asks",
  "The message asks for a weapon.",
] as const
const TAGS = [
  "<b>",
  "</b>",
  "<br>",
  "<i></i>",
  "**",
  "</think>",
  "<think>",
  "[/THINK]",
  "<|eot_id|>",
  "<answer>",
] as const
const MARKS = "\u200B\u00AD.,;\"'*`\\{}[]|<>:_-#?!/&=()\n\t \u00A0".split("")

const spot = (text: string, random: RandomSource) => random.below(text.length + 1)
const insert = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at)
/** A position directly after a letter, so that what is inserted there is joined with a word. */
const endOfWord = (text: string, random: RandomSource) => {
  const ends = [...text.matchAll(/\p{L}(?!\p{L})/gu)].map(({ index }) => index + 1)
  return ends.length === 0 ? 0 : random.pick(ends)
}

/** A position that is not between two letters. */
const border = (text: string, random: RandomSource) => {
  const at = spot(text, random)
  return /\p{L}$/u.test(text.slice(0, at)) && /^\p{L}/u.test(text.slice(at)) ? endOfWord(text, random) : at
}
/** A verdict under a key at the beginning of an answer is a draft, which does not count. */
const isDraft = (text: string) => /[:="]/.test(text)

/** Each function damages an unsafe answer. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  whole: (text) => text,
  "cut end": (text, random) => text.slice(0, spot(text, random)),
  "cut start": (text, random) => text.slice(spot(text, random)),
  "cut middle": (text, random) => {
    const one = spot(text, random)
    const two = spot(text, random)
    return text.slice(0, Math.min(one, two)) + text.slice(Math.min(Math.max(one, two), Math.min(one, two) + 6))
  },
  "lost letter": (text, random) => {
    const at = spot(text, random)
    return text.slice(0, at) + text.slice(at + 1)
  },
  "swapped letters": (text, random) => {
    const at = spot(text, random)
    return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
  },
  "doubled letter": (text, random) => {
    const at = spot(text, random)
    return text.slice(0, at + 1) + text.slice(at)
  },
  "glued word": (text, random) => insert(text, endOfWord(text, random), random.pick(GLUED)),
  "glued before": (text, random) => random.pick(["Answer", "is", "JSON", "The", "verdict"]) + text,
  "split tag": (text, random) => insert(text, spot(text, random), random.pick(TAGS)),
  mark: (text, random) => insert(text, spot(text, random), random.pick(MARKS)),
  "lost separators": (text, random) => text.replaceAll(/[:,]/g, (sign) => random.pick(["", " ", " -", sign])),
  "lost marks": (text, random) => text.replaceAll(/["'{}[\]<>/]/g, (sign) => (random.oneIn(2) ? "" : sign)),
  "lost blanks": (text, random) => text.replaceAll(/\s/g, (sign) => random.pick(["", sign, "\n", "  "])),
  case: (text, random) => Array.from(text, (one) => (random.oneIn(2) ? one.toUpperCase() : one.toLowerCase())).join(""),
  "look-alikes": (text, random) =>
    Array.from(text, (one) => (random.oneIn(3) ? (LOOKS_LIKE[one.toLowerCase()] ?? one) : one)).join(""),
  "half escape": (text, random) => JSON.stringify(text).slice(random.below(3), -1 - random.below(3)),
  fence: (text, random) => random.pick(["```json\n", "```\n", "```"]) + text + random.pick(["", "\n```", "```"]),
}

/** Each function puts a safe answer beside what remains of an unsafe one. */
export const SPLICES: Readonly<Record<string, Splice>> = {
  alone: (remains) => remains,
  before: (remains, safe, random) => safe + random.pick(JOINTS) + remains,
  after: (remains, safe, random) => remains + random.pick(JOINTS) + safe,
  fenced: (remains, safe, random) => {
    const block = `\`\`\`json\n${safe}\n\`\`\``
    return random.oneIn(2) ? `${block}\n${remains}` : `${remains}\n${block}`
  },
  "fenced remains": (remains, safe, random) => {
    const block = `\`\`\`json\n${remains}\n\`\`\``
    return random.oneIn(2) ? `${block}\n${safe}` : `${safe}\n${block}`
  },
  "two fields": (remains, safe, random) => {
    const one = remains.replace(/\}\s*$/, "")
    const two = safe.replace(/^\s*\{/, "")
    return random.oneIn(2)
      ? `${one}, ${two}`
      : `${safe.replace(/\}\s*$/, "")}${random.pick([", ", "\n", ","])}${remains.replace(/^\s*\{/, "")}`
  },
  "two cells": (remains, safe, random) =>
    random.oneIn(2) ? `| ${safe} | ${remains} |` : `| ${remains.replaceAll(": ", " | ")} |\n| ${safe} |`,
  "open end": (remains, safe, random) =>
    /think/i.test(remains) ? remains : `${remains}${random.pick(["</think>", "\n</think>\n", "[/THINK]"])}${safe}`,
  "after a thought": (remains, safe) => `<think>It asks for help.</think>${safe}\n${remains}`,
  "later block": (remains, safe) => `${safe}\n<think>${remains}</think>`,
  "first block": (remains, safe) => (isDraft(remains) ? remains : `<think>${remains}</think>${safe}`),
  inside: (remains, safe, random) => (/respon/i.test(safe) ? remains : insert(safe, border(safe, random), remains)),
  around: (remains, safe, random) => insert(remains, border(remains, random), safe),
}
