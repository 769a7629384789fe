import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import type { ObjectUpload } from "../../uploads/object-store.ts"
import { hubUrl } from "../hub-address.ts"

export interface LfsRepository {
  readonly ws: string
  readonly name: string
}

const DIGEST = /^[0-9a-f]{64}$/

/** A digest as LFS writes it. */
export function isObjectId(oid: string): boolean {
  return DIGEST.test(oid)
}

/** The repository of an address `/{ws}/{name}.git/…`. @throws `not_found` */
export function lfsRepository({ ws, repo }: { readonly ws: string; readonly repo: string }): LfsRepository {
  if (repo.endsWith(".git")) return { ws, name: repo.slice(0, -".git".length) }
  throw new AssayError("not_found", `The address of a repository ends in .git: write '${ws}/${repo}.git'.`)
}

/** Where the LFS API of a repository is. */
export function lfsUrl(request: FastifyRequest, { ws, name }: LfsRepository): string {
  return `${hubUrl(request)}/${ws}/${name}.git/info/lfs`
}

/** Where an object is to be sent. It names no fileset that its bearer could not know of. */
export function uploadUrl(request: FastifyRequest, { fileset, sha256, size, key }: ObjectUpload): string {
  return `${hubUrl(request)}/lfs/${fileset}/${sha256}/${size}/${key}`
}
