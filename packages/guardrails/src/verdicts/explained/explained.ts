/** What is known of the verdict that the rest of its answer stands beside. */
export interface Explained {
  /** The verdict is a word for no, so that another one agrees with it. */
  readonly saysNo: boolean
  /** The answer calls the other side unsafe, and its sentences may be about that. */
  readonly mayAccuse: boolean
}
