import { isAssayError, type ErrorCode } from "@assay/schemas"
import { onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, ReadOptions, Storage, StoredFile, WriteOptions } from "../storage.ts"
import type { ContractSubject, StorageContract } from "./contract-subject.ts"
import { inPieces } from "./sample-bytes.ts"

/** Opens a storage with `files` for the test that runs now, and closes it with the test. */
export async function openFor(
  contract: StorageContract,
  files: Readonly<Record<string, Uint8Array>> = {},
): Promise<ContractSubject> {
  const subject = await contract.open(files)
  onTestFinished(() => subject.close())
  return subject
}

export async function readAll(storage: Storage, path: string, options?: ReadOptions): Promise<Uint8Array> {
  const { bytes } = await storage.read(parseFilePath(path), options)
  return Buffer.concat(await Array.fromAsync(bytes))
}

export async function writeAll(
  storage: Storage,
  path: string,
  bytes: Uint8Array,
  options?: WriteOptions,
): Promise<StoredFile> {
  return storage.write(parseFilePath(path), inPieces(bytes), options)
}

export async function listPaths(storage: Storage, options?: ListOptions): Promise<readonly string[]> {
  const files = await Array.fromAsync(storage.list(options))
  return files.map(({ path }) => path)
}

/** The code with which something fails. @throws what is no `AssayError`, and where nothing fails */
export async function codeOf(work: Promise<unknown>): Promise<ErrorCode> {
  try {
    await work
  } catch (error) {
    if (isAssayError(error)) return error.code
    throw error
  }
  throw new Error("It did not fail.")
}
