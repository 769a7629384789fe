/** One element of DER (ITU-T X.690): tag, length, content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const size = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)

export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)

export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes)

export const integer = (value: number): Buffer => der(0x02, Buffer.of(value))

export const truth = (): Buffer => der(0x01, Buffer.of(0xff))

export const text = (value: string): Buffer => der(0x0c, Buffer.from(value))

export const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, "")))

/** An object identifier, written with dots. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return der(0x06, Buffer.of(first * 40 + second, ...rest.flatMap(base128)))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}
