import { hideSecrets } from "@assay/inference"
import { isExactNumber } from "@assay/json"
import type { ScoringEnvironment } from "@assay/scoring"

type KeyedEnvironment = Pick<ScoringEnvironment, "resolveKey" | "recording"> &
  Partial<Pick<ScoringEnvironment, "resolveSecret">>

/**
 * Returns an environment whose recording never has a key that the environment resolved: an endpoint or an agent may return what it was sent. The run
 * that records gets the same text without the key, so that a replay has the same bytes.
 */
export function withHiddenKeys<E extends KeyedEnvironment>(environment: E): E {
  const { recording, resolveKey, resolveSecret } = environment
  if (recording === undefined) return environment
  const keys = new Set<string>()
  const hide = <T>(answer: T): T => (keys.size === 0 ? answer : withoutKeys(answer, [...keys]))
  return {
    ...environment,
    async resolveKey(endpoint) {
      const key = await resolveKey(endpoint)
      if (key !== undefined) keys.add(key.trim())
      return key
    },
    ...(resolveSecret === undefined
      ? {}
      : {
          async resolveSecret(reference: string, url?: string) {
            const secret = await resolveSecret(reference, url)
            keys.add(secret.trim())
            return secret
          },
        }),
    recording: {
      ...recording,
      answer: (request, ask, use) => recording.answer(request, async () => hide(await ask()), use),
    },
  }
}

/** Hides keys in each text, because a text can be JSON itself, such as the arguments of a call. Returns the same value if there is none. */
function withoutKeys<T>(value: T, keys: readonly string[]): T {
  if (typeof value === "string") return hideSecrets(value, keys) as T
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value
  let isChanged = false
  const clean = <V>(part: V): V => {
    const own = withoutKeys(part, keys)
    isChanged ||= own !== part
    return own
  }
  const hidden = Array.isArray(value)
    ? value.map((part: unknown) => clean(part))
    : Object.fromEntries(Object.entries(value).map(([name, part]) => [clean(name), clean(part as unknown)]))
  return isChanged ? (hidden as T) : value
}
