import type { StoredFile } from "@assay/storage"
import pMap from "p-map"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { checkNoFaults, PARALLEL_READS, type WeightFiles } from "../files/weight-files.ts"
import { elementsOf, type StoredTensor } from "../tensors/stored-tensor.ts"
import { ggufFaultOf, createGgufCursor, ggufFault, type GgufCursor } from "./gguf-cursor.ts"
import { GGUF_TYPES } from "./gguf-types.ts"
import { readGgufText, readGgufValue, type GgufValue } from "./read-gguf-value.ts"

/**
 * Reads the tensors of all parts of a model, and the metadata of the first part, which is complete.
 * @throws `broken_checkpoint` that names every faulty file
 */
export async function readGgufFiles(reader: CheckpointReader, weights: WeightFiles): Promise<GgufHeader> {
  const faults: string[] = []
  const headers = await pMap(
    weights.files,
    async (file) => {
      try {
        return await readGgufHeader(reader, file)
      } catch (error) {
        const fault = ggufFaultOf(error)
        if (fault === undefined) throw error
        faults.push(`'${file.path.slice(file.path.lastIndexOf("/") + 1)}' ${fault}`)
        return null
      }
    },
    { concurrency: PARALLEL_READS },
  )
  checkNoFaults(faults)
  return {
    metadata: headers[0]?.metadata ?? new Map<string, never>(),
    tensors: headers.flatMap((header) => header?.tensors ?? []),
  }
}

export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, GgufValue>
  readonly tensors: readonly StoredTensor[]
}

interface LocatedTensor extends StoredTensor {
  /** Relative to the first byte of data. */
  readonly offset: number
}

const MAGIC = 0x46554747
const BIG_ENDIAN_VERSIONS = 0xffff
const MAX_DIMENSIONS = 8
const ALIGNMENT = 32
/**
 * Minimum sizes. An entry has the length of its name, a type and a value of at least one byte. A tensor has a name, a
 * type and a position.
 */
const MIN_ENTRY_BYTES = 13
const MIN_TENSOR_BYTES = 24

/**
 * Reads everything before the tensors of a GGUF file. Vocabularies are skipped. Source: the format's specification,
 * `docs/gguf.md` of ggml, versions 2 and 3.
 * @throws a fault (`ggufFault`)
 */
async function readGgufHeader(reader: CheckpointReader, file: StoredFile): Promise<GgufHeader> {
  const cursor = createGgufCursor(reader, file)
  await cursor.need(24)
  if (cursor.u32() !== MAGIC) throw ggufFault("does not begin with 'GGUF'")
  const version = cursor.u32()
  if (version > BIG_ENDIAN_VERSIONS) throw ggufFault("is big-endian, which is not supported")
  if (version < 2 || version > 3) throw ggufFault(`has version ${version}; versions 2 and 3 are supported`)
  const tensorCount = cursor.u64()
  const entryCount = cursor.u64()
  if (tensorCount * MIN_TENSOR_BYTES + entryCount * MIN_ENTRY_BYTES > file.size) {
    throw ggufFault(`says that it has ${tensorCount} tensors and ${entryCount} values, more than fit in its bytes`)
  }
  const metadata = new Map<string, GgufValue>()
  for (let index = 0; index < entryCount; index++) {
    const key = await readGgufText(cursor)
    await cursor.need(4)
    const value = await readGgufValue(cursor, cursor.u32())
    if (key !== null) metadata.set(key, value)
  }
  const tensors: LocatedTensor[] = []
  for (let index = 0; index < tensorCount; index++) tensors.push(await readTensor(cursor))
  const alignment = metadata.get("general.alignment")
  const step = typeof alignment === "number" && alignment > 0 ? alignment : ALIGNMENT
  checkLocations(tensors, file.size - Math.ceil(cursor.position() / step) * step)
  return { metadata, tensors }
}

async function readTensor(cursor: GgufCursor): Promise<LocatedTensor> {
  const name = (await readGgufText(cursor)) ?? ""
  await cursor.need(4)
  const dimensions = cursor.u32()
  if (dimensions > MAX_DIMENSIONS) throw ggufFault(`has a tensor '${name}' of ${dimensions} dimensions`)
  await cursor.need(8 * dimensions + 12)
  // The file stores the innermost size first.
  const shape = Array.from({ length: dimensions }, () => cursor.u64()).toReversed()
  const number = cursor.u32()
  const type = GGUF_TYPES[number]
  const elements = elementsOf(shape)
  if (!Number.isSafeInteger(elements)) throw ggufFault(`has a tensor '${name}' of too many elements`)
  const bytes = type === undefined ? 0 : Math.ceil(elements / type.block) * type.bytes
  return { name, type: type?.name ?? `TYPE_${number}`, shape, bytes, offset: cursor.u64() }
}

function checkLocations(tensors: readonly LocatedTensor[], dataBytes: number): void {
  let at = 0
  let before = "the header"
  for (const { name, offset, bytes } of tensors.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < at) throw ggufFault(`has tensors that overlap: '${name}' begins within '${before}'`)
    at = offset + bytes
    before = name
    if (at > dataBytes) {
      throw ggufFault(
        `is cut short: '${name}' ends at byte ${at} of the data, of which ${Math.max(dataBytes, 0)} are there`,
      )
    }
  }
}
