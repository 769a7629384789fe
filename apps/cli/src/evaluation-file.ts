/** The evaluation file that `assay init` writes, and that commands read if none is named. */
export const EVALUATION_FILE = "evaluation.yaml"
