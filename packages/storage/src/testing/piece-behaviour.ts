import { expect, it } from "vitest"
import { verifies } from "./verifies.ts"
import { parseFilePath } from "../file-path.ts"
import type { ReadResult } from "../storage.ts"
import { codeOf, openFor } from "./ask.ts"
import type { ContractSubject, StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"
import { expectBytes } from "./expect-bytes.ts"

const PIECES = 5

interface Reading extends ContractSubject {
  readonly content: Uint8Array
  readonly pieces: AsyncIterator<Uint8Array>
}

async function expectClosed({ countOpenReads }: ContractSubject): Promise<void> {
  if (countOpenReads !== undefined) await expect.poll(countOpenReads).toBe(0)
}

/** Tests of how bytes arrive, and of readers that stop or files that change before the end. */
export function describePieces(contract: StorageContract): void {
  async function openReading(options: { readonly signal?: AbortSignal } = {}): Promise<Reading> {
    const { readChunkSize } = await openFor(contract)
    const content = sampleBytes(PIECES * readChunkSize - 1)
    const subject = await openFor(contract, { file: content })
    const { bytes }: ReadResult = await subject.storage.read(parseFilePath("file"), options)
    return { ...subject, content, pieces: bytes[Symbol.asyncIterator]() }
  }

  it("have read_chunk_size bytes, except a shorter last one", verifies("files.download.pieces"), async () => {
    const { content, pieces, readChunkSize } = await openReading()
    const sizes: number[] = []
    const read: Uint8Array[] = []
    for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
      sizes.push(step.value.byteLength)
      read.push(step.value)
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(readChunkSize)
    expectBytes(Buffer.concat(read), content)
  })

  it("end with everything closed when the reader stops early", async () => {
    const reading = await openReading()
    await reading.pieces.next()
    await reading.pieces.return?.()
    await expectClosed(reading)
    expect(await reading.pieces.next()).toMatchObject({ done: true })
  })

  it("end with everything closed when the reader never starts", async () => {
    const reading = await openReading()
    await reading.pieces.return?.()
    await expectClosed(reading)
  })

  it("end with the reason and everything closed when the read is aborted", async () => {
    const aborting = new AbortController()
    const reading = await openReading({ signal: aborting.signal })
    await reading.pieces.next()
    aborting.abort(new Error("the reader is gone"))
    await expect(reading.pieces.next()).rejects.toThrow("the reader is gone")
    await expectClosed(reading)
  })

  it("end with everything closed when the read is aborted and no piece is requested", async () => {
    const aborting = new AbortController()
    const reading = await openReading({ signal: aborting.signal })
    aborting.abort(new Error("the reader is gone"))
    await expectClosed(reading)
  })

  it("are not read if the signal is already aborted", async () => {
    const { storage } = await openFor(contract, { file: sampleBytes(10) })
    const signal = AbortSignal.abort(new Error("too late"))
    await expect(storage.read(parseFilePath("file"), { signal })).rejects.toThrow("too late")
  })

  it("end with storage_changed if the file changes meanwhile, and never mix bytes", async ({ skip }) => {
    const reading = await openReading()
    if (reading.tamper === undefined) {
      await reading.pieces.return?.()
      skip("the backend's files can't be changed from here")
      return
    }
    const read: Uint8Array[] = []
    const first = await reading.pieces.next()
    if (first.done !== true) read.push(first.value)
    await reading.tamper("file")
    const ending = (async () => {
      for (let step = await reading.pieces.next(); step.done !== true; step = await reading.pieces.next()) {
        read.push(step.value)
      }
    })()
    const outcome = contract.mayReadOldBytes === true ? await ending.catch(() => codeOf(ending)) : await codeOf(ending)
    const got = Buffer.concat(read)
    if (outcome === undefined) expect(got).toHaveLength(reading.content.byteLength)
    else expect(outcome).toBe("storage_changed")
    expect(got).toEqual(Buffer.from(reading.content.subarray(0, got.byteLength)))
    await expectClosed(reading)
  })
}
