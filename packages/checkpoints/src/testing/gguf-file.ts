import { truncate, writeFile } from "node:fs/promises"

/** A tensor of a GGUF file: name, type number, and shape with the outermost size first. */
export type GgufTensor = readonly [name: string, type: number, shape: readonly number[]]

export interface GgufContents {
  readonly version?: number
  readonly metadata: Readonly<Record<string, unknown>>
  readonly tensors: readonly GgufTensor[]
  /** Number of data bytes. */
  readonly data: number
  /** Offsets of the tensors. Default: one after another according to their `sizes`. */
  readonly offsets?: readonly number[]
  readonly tensorCount?: bigint
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: number | bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

/** Writes the header of a GGUF file, followed by a hole instead of data. */
export async function writeGguf(path: string, contents: GgufContents): Promise<void> {
  const { version = 3, metadata, tensors, data, offsets = [] } = contents
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    u32(version),
    u64(contents.tensorCount ?? tensors.length),
    u64(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), typed(value)]),
    ...tensors.flatMap(([name, type, shape], index) => [
      text(name),
      u32(shape.length),
      ...shape.toReversed().map(u64),
      u32(type),
      u64(offsets[index] ?? 0),
    ]),
  ])
  await writeFile(path, header)
  await truncate(path, Math.ceil(header.length / 32) * 32 + data)
}

function typed(value: unknown): Buffer {
  if (Array.isArray(value)) {
    const isText = typeof value[0] === "string"
    const items = value.map((one) => (isText ? text(String(one)) : u32(Number(one))))
    return Buffer.concat([u32(9), u32(isText ? 8 : 4), u64(value.length), ...items])
  }
  if (typeof value === "string") return Buffer.concat([u32(8), text(value)])
  if (typeof value === "boolean") return Buffer.concat([u32(7), Buffer.from([value ? 1 : 0])])
  return Buffer.concat([u32(4), u32(Number(value))])
}
