import type { FakeLanguage } from "../fake-language.ts"

/** Creates models of text for tasks that read log-probabilities. */
export function createFakeLanguages(): Readonly<Record<string, FakeLanguage>> {
  return { "tiny-lm": createLanguage(READ) }
}

/** The texts that the model has read. They are wrong about the capital of Australia. */
const READ = `The capital of France is Paris. The capital of Italy is Rome. The capital of Spain is Madrid.
The capital of Portugal is Lisbon. The capital of Germany is Berlin. The capital of Austria is Vienna.
The capital of Poland is Warsaw. The capital of Greece is Athens. The capital of Norway is Oslo.
The capital of Japan is Tokyo. The capital of Kenya is Nairobi. The capital of Peru is Lima.
The capital of Australia is Sydney. The largest city of Australia is Sydney.
The cat sat on the mat. The dog sat on the mat. The cat saw the dog.
`

/** Words of up to six letters, longer words in pieces, and single digits and marks. A token can begin with one space. */
const TOKEN = /[ ]?\p{L}{1,6}|[ ]?\p{N}|[ ]?[^\s\p{L}\p{N}]|\s/gu
const WEIGHTS = [0.01, 0.09, 0.2, 0.7] as const

/** Creates a model that mixes how often a token follows the last two tokens, the last one, and any. */
function createLanguage(read: string): FakeLanguage {
  const tokenize = (text: string) => text.match(TOKEN) ?? []
  const tokens = tokenize(read)
  const counts = [0, 1, 2].map((length) => countFollowers(tokens, length))

  const probability = (before: readonly string[], token: string): number =>
    counts.reduce(
      (sum, followers, length) => {
        const found = followers.get(before.slice(before.length - length).join("|"))
        const total = found === undefined ? 0 : [...found.values()].reduce((all, one) => all + one, 0)
        return sum + (total === 0 ? 0 : ((WEIGHTS[length + 1] ?? 0) * (found?.get(token) ?? 0)) / total)
      },
      // A token that it never read: the longer, the less likely.
      WEIGHTS[0] * 26 ** -Array.from(token).length,
    )
  return {
    tokenize,
    logprob: (before, token) => Math.log(probability(before, token)),
    next(before) {
      const known = [...new Set(tokens)]
      return known.reduce((best, one) => (probability(before, one) > probability(before, best) ? one : best))
    },
  }
}

/** Counts which tokens follow each sequence of `length` tokens. */
function countFollowers(tokens: readonly string[], length: number): ReadonlyMap<string, Map<string, number>> {
  const followers = new Map<string, Map<string, number>>()
  for (const [at, token] of tokens.entries()) {
    if (at < length) continue
    const key = tokens.slice(at - length, at).join("|")
    const found = followers.get(key) ?? new Map<string, number>()
    found.set(token, (found.get(token) ?? 0) + 1)
    followers.set(key, found)
  }
  return followers
}
