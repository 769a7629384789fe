/** Puts an entry at the end of a map, and removes entries from its beginning until it has at most `max`. */
export function keepRecent<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  dropOldest(map, max)
}

/** Removes entries from the beginning of a map until it has at most `max`. */
export function dropOldest(map: Map<unknown, unknown>, max: number): void {
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    if (map.size <= max) return
    map.delete(oldest)
  }
}
