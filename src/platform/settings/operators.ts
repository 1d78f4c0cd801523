import { address, anything, integer, oneOf, sameFromFile, url } from './kinds.ts'

// Mail, the log and what operators look at.

export const operatorsSettings = {
  SMTP_URL: url({
    default: '',
    protocols: ['smtp:', 'smtps:'],
    meaning: 'Mail server for live mail. Empty: live mail waits until it is set.',
    example: 'smtps://user:secret@mail.example.com:465',
  }),
  SMTP_URL_FILE: sameFromFile({ example: '/run/secrets/smtp_url' }),
  MAIL_FROM: address({
    default: '',
    meaning: 'Address that mail comes from. Default: no-reply at the host of BASE_URL.',
    example: 'receipts@pay.example.com',
  }),
  SECURITY_CONTACT: address({
    default: '',
    meaning:
      'Address in /.well-known/security.txt, for reports of vulnerabilities. Default: security at the host of BASE_URL.',
    example: 'security@example.com',
  }),
  FLORIN_KEY: anything({
    default: '',
    meaning: 'Secret key for florin commands that call the API. Empty: Florin asks for it.',
    example: 'sk_test_…',
  }),
  FLORIN_KEY_FILE: sameFromFile({ example: '/run/secrets/florin_key' }),
  LOG_LEVEL: oneOf({
    default: 'info',
    allowed: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'How much is logged.',
  }),
  LOG_ADDRESSES: oneOf({
    default: 'short',
    allowed: ['short', 'whole'],
    meaning:
      "How much of a customer's IP address is logged. short: the first 24 bits of IPv4, 48 of IPv6. Those that call the API or the dashboard are always whole.",
  }),
  METRICS: oneOf({ default: 'on', allowed: ['on', 'off'], meaning: 'Whether /metrics answers.' }),
  METRICS_PORT: integer({
    default: '0',
    min: 0,
    max: 65_535,
    meaning:
      'Separate port for /metrics and the details of /readyz. 0: on PORT if HOST and BASE_URL are loopback, otherwise off.',
  }),
  METRICS_HOST: anything({
    default: '127.0.0.1',
    meaning: 'Address to listen on for METRICS_PORT: not a public one.',
    example: '10.0.0.5',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: '',
    meaning: 'OpenTelemetry collector for traces, by OTLP over HTTP. Empty: no traces.',
    example: 'http://127.0.0.1:4318',
  }),
}
