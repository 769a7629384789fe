const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Encodes `bytes`, as one big-endian number, in base58: the alphabet without 0, O, I and l. */
function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
  let text = ""
  while (number > 0n) {
    text = ALPHABET.charAt(Number(number % 58n)) + text
    number /= 58n
  }
  return text.padStart(1, "1")
}

/** Creates a function that makes ids of a prefix and 16 random bytes in base58, such as `fileset-3QJmnh8Y1kGqvS4cQKFJ2b`. */
export function createIdMaker(randomBytes: (size: number) => Uint8Array): (prefix: string) => string {
  return (prefix) => `${prefix}-${base58(randomBytes(16))}`
}
