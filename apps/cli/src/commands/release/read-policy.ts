import { dirname, resolve } from "node:path"
import { readReleasePolicy } from "@assay/evaluation-files"
import type { releases } from "@assay/local"
import { printable } from "@assay/schemas"
import { parseYaml } from "@assay/validation"
import { readLocalText, readStreamText } from "@assay/storage"
import type { Context } from "../../context.ts"

type LocatedPolicy = Parameters<typeof releases.plan>[1]

/** Reads a release policy; `-` means stdin. @throws `bad_document` with line and column of all faults, `not_found` */
export async function readPolicy({ cwd, stdin, signal }: Context, name: string): Promise<LocatedPolicy> {
  const path = name === "-" ? undefined : resolve(cwd, name)
  const source = path === undefined ? await readStreamText(stdin, signal) : await readLocalText(path, signal)
  const policy = readReleasePolicy(parseYaml(source, path === undefined ? "stdin" : printable(name)))
  return { ...policy, folder: path === undefined ? cwd : dirname(path) }
}
