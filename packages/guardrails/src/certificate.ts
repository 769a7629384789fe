// The parts of a certificate that a browser shows. They need no other part of the package, which asks models.
export { certificateContradiction } from "./certificates/certificate-contradiction.ts"
export { certificateBody } from "./certificates/format-certificate-html.ts"
