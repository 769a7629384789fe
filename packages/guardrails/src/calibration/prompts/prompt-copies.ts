import { hash } from "node:crypto"
import { createGrowingArray } from "../counting/growing-array.ts"
import type { LabelledPrompt, PromptLabel } from "./labelled-prompt.ts"

/** Finds rows that repeat another row. Memory: about 50 bytes for each different prompt, and one for each row. */
export interface PromptCopies {
  /** Adds a row with its number, from 0. Returns whether there is already a row with the same prompt, response and label. */
  add(number: number, row: LabelledPrompt): boolean
  /** Returns whether a row repeats one with a lower number, in whatever order they were added. */
  isCopy(number: number): boolean
  /** The number of rows that repeat another one. */
  readonly count: number
  /** Returns the prompts that have both labels, in the order of their first rows. */
  withBothLabels(): readonly ContradictoryPrompt[]
}

/** A prompt that is labelled safe in one row and unsafe in another. */
export interface ContradictoryPrompt {
  /** The first 200 characters of the prompt, with each run of white space as one space. */
  readonly prompt: string
  /** The first row with each label, from 0. */
  readonly rows: Readonly<Record<PromptLabel, number>>
}

const HEX_OF_48_BITS = 12
const MAX_PROMPT = 200

/** Creates an empty set of rows. Prompts that differ only in white space, or in how Unicode composes letters, are the same prompt. */
export function createPromptCopies(): PromptCopies {
  /** The first row of each prompt, by its fingerprint. */
  const first: Readonly<Record<PromptLabel, Map<number, number>>> = { safe: new Map(), unsafe: new Map() }
  const contradictory = new Map<number, string>()
  const copies = createGrowingArray((length) => new Uint8Array(length))
  let count = 0
  return {
    add(number, row) {
      const prompt = foldSpace(row.prompt)
      const key = fingerprint([prompt, row.response === undefined ? null : foldSpace(row.response)])
      const same = first[row.label]
      const before = same.get(key)
      same.set(key, before === undefined ? number : Math.min(before, number))
      if (first.safe.has(key) && first.unsafe.has(key)) contradictory.set(key, prompt.slice(0, MAX_PROMPT))
      if (before === undefined) return false
      copies.set(Math.max(number, before), 1)
      count++
      return true
    },
    isCopy: (number) => copies.get(number) === 1,
    get count() {
      return count
    },
    withBothLabels() {
      const found = [...contradictory].map(([key, prompt]) => ({
        prompt,
        rows: { safe: first.safe.get(key) ?? 0, unsafe: first.unsafe.get(key) ?? 0 },
      }))
      return found.toSorted((a, b) => firstRow(a) - firstRow(b))
    },
  }
}

function firstRow({ rows }: ContradictoryPrompt): number {
  return Math.min(rows.safe, rows.unsafe)
}

function foldSpace(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/gu, " ").trim()
}

/** Returns a number for a prompt. Two of a million different prompts have the same one with a probability of 0.2 %. */
function fingerprint(texts: readonly (string | null)[]): number {
  return Number.parseInt(hash("sha256", JSON.stringify(texts)).slice(0, HEX_OF_48_BITS), 16)
}
