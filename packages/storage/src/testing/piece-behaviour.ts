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

/** How bytes arrive, and what happens when the reader or the file does not stay until the end. */
export function describePieces(contract: StorageContract): void {
  async function openReading(options: { readonly signal?: AbortSignal } = {}): Promise<Reading> {
    const { readChunkSize } = await openFor(contract)
    const content = sampleBytes(PIECES * readChunkSize - 1)
    const subject = await openFor(contract, { file: content })
    const { bytes }: ReadResult = await subject.storage.read(parseFilePath("file"), options)
    return { ...subject, content, pieces: bytes[Symbol.asyncIterator]() }
  }

  it("gives pieces of read_chunk_size and a rest, and no larger one", verifies("files.download.pieces"), async () => {
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

  it("closes what it opened when the reader stops early", async () => {
    const reading = await openReading()
    await reading.pieces.next()
    await reading.pieces.return?.()
    await expectClosed(reading)
    expect(await reading.pieces.next()).toMatchObject({ done: true })
  })

  it("closes what it opened when the reader never asks", async () => {
    const reading = await openReading()
    await reading.pieces.return?.()
    await expectClosed(reading)
  })

  it("closes what it opened and gives the reason when the reading is aborted", async () => {
    const aborting = new AbortController()
    const reading = await openReading({ signal: aborting.signal })
    await reading.pieces.next()
    aborting.abort(new Error("the reader is gone"))
    await expect(reading.pieces.next()).rejects.toThrow("the reader is gone")
    await expectClosed(reading)
  })

  it("closes what it opened when the reading is aborted and nobody asks again", async () => {
    const aborting = new AbortController()
    const reading = await openReading({ signal: aborting.signal })
    aborting.abort(new Error("the reader is gone"))
    await expectClosed(reading)
  })

  it("does not begin when the signal is aborted already", async () => {
    const { storage } = await openFor(contract, { file: sampleBytes(10) })
    const signal = AbortSignal.abort(new Error("too late"))
    await expect(storage.read(parseFilePath("file"), { signal })).rejects.toThrow("too late")
  })

  it("ends with storage_changed when the file changes meanwhile, and never mixes bytes", async ({ skip }) => {
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
