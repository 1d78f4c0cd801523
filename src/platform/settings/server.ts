import { anything, integer, oneOf, url } from './kinds.ts'

// Where Florin listens and how it is reached.

export const serverSettings = {
  PORT: integer({ default: '3000', min: 0, max: 65_535, meaning: 'Port to listen on.' }),
  HOST: anything({
    default: '127.0.0.1',
    meaning: 'Address to listen on. 0.0.0.0 for every interface.',
    example: '0.0.0.0',
  }),
  SHARE_PORT: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning:
      'Linux: whether more processes of Florin may listen on the same port, to use more than one core.',
  }),
  BASE_URL: url({
    default: '',
    meaning: "Florin's public URL. Default: http://HOST:PORT.",
    example: 'https://pay.example.com',
  }),
  SEO_URL: url({
    default: '',
    meaning: 'The public URL of the projects API. Default: BASE_URL.',
    example: 'https://projects.example.com',
  }),
  PROJECTS_ON_SEO_HOST_ONLY: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning: 'Whether the projects API answers only on the host of SEO_URL.',
  }),
}
