import { ENTITIES } from "./data/entities.ts"

/** An answer that went through web pages has its ampersands escaped too, once for each. */
const PASSES = 4

/** Replaces HTML entities by what they stand for. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  let decoded = text
  for (let pass = 0; pass < PASSES && decoded.includes("&"); pass += 1) {
    decoded = decoded.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,16}));/g, decodeOne)
  }
  return decoded
}

function decodeOne(entity: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name] ?? entity
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity
}
