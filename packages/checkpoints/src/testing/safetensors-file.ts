import { truncate, writeFile } from "node:fs/promises"

/** A tensor in a test: name, dtype, shape. */
export type TestTensor = readonly [name: string, dtype: string, shape: readonly number[]]

const BITS: Readonly<Record<string, number>> = {
  F4: 4,
  U8: 8,
  I8: 8,
  F8_E4M3: 8,
  F8_E8M0: 8,
  BOOL: 8,
  BF16: 16,
  F16: 16,
  I64: 64,
}

export function bytesOf([, dtype, shape]: TestTensor): number {
  return (shape.reduce((product, size) => product * size, 1) * (BITS[dtype] ?? 32)) / 8
}

function headerOf(tensors: readonly TestTensor[]): Readonly<Record<string, unknown>> {
  let offset = 0
  const entries = tensors.map((tensor) => {
    const [name, dtype, shape] = tensor
    const begin = offset
    offset += bytesOf(tensor)
    return [name, { dtype, shape, data_offsets: [begin, offset] }] as const
  })
  return { __metadata__: { format: "pt" }, ...Object.fromEntries(entries) }
}

/** Writes a file with the header of `tensors`, followed by a hole of the real size instead of data. */
export async function writeSafetensors(path: string, tensors: readonly TestTensor[]): Promise<void> {
  const data = tensors.reduce((sum, tensor) => sum + bytesOf(tensor), 0)
  await writeRawSafetensors(path, JSON.stringify(headerOf(tensors)), data)
}

/** Writes a given header with a stated `length`, followed by a hole of `data` bytes. */
export async function writeRawSafetensors(path: string, header: string, data: number, length?: bigint): Promise<void> {
  const prefix = Buffer.alloc(8)
  prefix.writeBigUInt64LE(length ?? BigInt(Buffer.byteLength(header)))
  await writeFile(path, Buffer.concat([prefix, Buffer.from(header)]))
  await truncate(path, 8 + Buffer.byteLength(header) + data)
}
