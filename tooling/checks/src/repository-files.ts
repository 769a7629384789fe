import { lookedAt } from "./looked-at.ts"
import { listFiles, REPOSITORY_ROOT } from "./repository.ts"

/** The files of this repository whose path fits. @throws if none does */
export function repositoryFiles(pattern: RegExp): readonly string[] {
  return lookedAt(
    `file like ${pattern.source}`,
    listFiles(REPOSITORY_ROOT).filter((path) => pattern.test(path)),
  )
}
