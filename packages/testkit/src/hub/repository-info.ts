import type { Exchange } from "./exchange.ts"
import { jsonAnswer, type HubAnswer } from "./hub-answer.ts"

/** What there is to know of a repository at a revision; with `expand`, the fields that it names and no others. */
export function repositoryInfo({ address, repository, commit }: Exchange): HubAnswer {
  const { id, gated, disabled } = repository
  const known: Record<string, unknown> = {
    author: id.split("/")[0],
    sha: commit.sha,
    lastModified: "2026-01-02T03:04:05.000Z",
    createdAt: "2026-01-02T03:04:05.000Z",
    private: repository.private,
    gated,
    disabled,
    tags: [],
    downloads: 0,
    likes: 0,
    siblings: [...commit.files.keys()].map((rfilename) => ({ rfilename })),
  }
  const names = address.query.getAll("expand")
  const wanted = names.length === 0 ? known : Object.fromEntries(names.map((name) => [name, known[name]]))
  return jsonAnswer(200, { _id: "000000000000000000000000", id, ...wanted })
}
