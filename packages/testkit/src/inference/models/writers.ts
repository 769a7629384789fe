import { hash } from "node:crypto"
import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"

const SENTENCES = [
  "Start with the receipt.",
  "The shop takes it back for thirty days.",
  "A refund goes to the card that paid.",
  "Keep the box, if you can.",
  "The courier collects parcels at noon.",
  "Write to us, and a person answers.",
  "Damaged parts are replaced first.",
]

/** Creates a model that writes up to seven sentences, by the request and its own name. @param more how many it writes more than others */
export function createWriterModel(name: string, more: number): FakeModel {
  return (body) => {
    const { prompt } = askedText(body)
    const count = 1 + Math.floor(4 * shareOf(`${name}: ${prompt}`)) + more
    return { content: SENTENCES.slice(0, count).join(" ") }
  }
}

/**
 * Compares two answers in the material of a prompt: the one with more sentences wins, and equal ones are a tie. For one pair in ten it names the first
 * answer, whatever that is.
 */
export const pairJudgeModel: FakeModel = (body) => {
  const { prompt } = askedText(body)
  const found = /<material>([^<]*)<\/material>/.exec(prompt)?.[1]
  if (found === undefined) return { content: "There is no material." }
  const { A = "", B = "" } = JSON.parse(found) as Readonly<Record<string, string>>
  const [a, b] = [A, B].map((text) => text.match(/[^.!?]+[.!?]/g)?.length ?? 0) as [number, number]
  // The same for both orders.
  const isBiased = shareOf([A, B].toSorted().join("\n")) < 0.1
  return { content: JSON.stringify({ winner: isBiased || a > b ? "A" : a < b ? "B" : "tie" }) }
}

function shareOf(text: string): number {
  return Number.parseInt(hash("sha256", text).slice(0, 8), 16) / 2 ** 32
}
