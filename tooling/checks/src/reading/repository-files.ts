import { lookedAt } from "./looked-at.ts"
import { listFiles, REPOSITORY_ROOT } from "./repository.ts"

/** Returns the files of this repository whose path matches. @throws if none matches */
export function repositoryFiles(pattern: RegExp): readonly string[] {
  return lookedAt(
    `file like ${pattern.source}`,
    listFiles(REPOSITORY_ROOT).filter((path) => pattern.test(path)),
  )
}
