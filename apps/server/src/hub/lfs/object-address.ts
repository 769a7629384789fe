import type { ObjectPart, PendingUpload } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { hubUrl } from "../hub-address.ts"

/** Objects up to this size are sent in one part. */
const PART_BYTES = 16_777_216

/** Maximum number of part URLs in one response. */
const MAX_PARTS = 10_000

/** Returns the bytes of each part but the last, for an object of `size` bytes. */
export function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
}

/** Returns the number of parts in which an object of `size` bytes is sent. */
export function countParts(size: number): number {
  return Math.ceil(size / partBytes(size))
}

/** Returns part `number`, counted from 1; undefined if there is no such part. */
export function partOf(size: number, number: number): ObjectPart | undefined {
  if (number < 1 || number > countParts(size)) return undefined
  const start = (number - 1) * partBytes(size)
  return { start, end: Math.min(start + partBytes(size), size) - 1 }
}

export interface LfsRepository {
  readonly ws: string
  readonly name: string
}

const DIGEST = /^[0-9a-f]{64}$/

/** Whether a text is a digest as LFS writes it. */
export function isObjectId(oid: string): boolean {
  return DIGEST.test(oid)
}

/** Parses the repository of a path `/{ws}/{name}.git/…`. @throws `not_found` */
export function lfsRepository({ ws, repo }: { readonly ws: string; readonly repo: string }): LfsRepository {
  if (repo.endsWith(".git")) return { ws, name: repo.slice(0, -".git".length) }
  throw new AssayError("not_found", `The path of a repository ends in .git: use '${ws}/${repo}.git'.`)
}

/** Returns the URL of the LFS API of a repository. */
export function lfsUrl(request: FastifyRequest, { ws, name }: LfsRepository): string {
  return `${hubUrl(request)}/${ws}/${name}.git/info/lfs`
}

/** Returns the URL for the upload of an object. */
export function uploadUrl(request: FastifyRequest, { fileset, sha256, size, key }: PendingUpload): string {
  return `${hubUrl(request)}/lfs/${fileset}/${sha256}/${size}/${key}`
}
