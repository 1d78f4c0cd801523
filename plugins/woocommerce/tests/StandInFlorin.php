<?php

declare(strict_types=1);

namespace FlorinWoo\Tests;

use WP_Error;

/** Answers the calls of WordPress' HTTP functions as Florin does: one tx_ref makes one payment. */
final class StandInFlorin
{
    public static ?self $current = null;
    /** `away`: no call arrives. `lost`: calls arrive, and no answer comes back. */
    public ?string $fault = null;
    public string $refundStatus = 'success';
    private ?string $refusal = null;
    /** @var array<string, array<string, mixed>> */
    private array $payments = [];

    public static function start(): self
    {
        return self::$current = new self();
    }

    public function refuse(?string $code): void
    {
        $this->refusal = $code;
    }

    /** @return list<string> */
    public function made(): array
    {
        return array_keys($this->payments);
    }

    /** @return list<string> */
    public function refunded(): array
    {
        return array_column(array_merge(...array_column($this->payments, 'refunds')), 'refund_ref');
    }

    /** @param array<string, mixed> $more */
    public function make(string $txRef, array $more): void
    {
        $this->payments[$txRef] = $more + ['tx_ref' => $txRef, 'amount_minor' => 1234, 'currency' => 'GBP'];
    }

    /**
     * @param array{method: string, body: ?string} $request
     * @return array{int, array<string, mixed>}|WP_Error
     */
    public function answer(string $path, array $request): array|WP_Error
    {
        if ($this->fault === 'away') {
            return new WP_Error('http_request_failed', 'The connection was cut');
        }
        $asked = json_decode((string) $request['body'], true);
        $answer = match (true) {
            $request['method'] === 'GET' => $this->find(basename($path)),
            str_ends_with($path, '/refund') => $this->refund(basename(dirname($path)), $asked),
            default => $this->create($asked),
        };

        return $this->fault === 'lost' ? new WP_Error('http_request_failed', 'The connection was cut') : $answer;
    }

    /** @return array{int, array<string, mixed>} */
    private function find(string $txRef): array
    {
        return isset($this->payments[$txRef]) ? [200, ['data' => $this->payments[$txRef]]] : self::failure(404, 'not_found');
    }

    /**
     * @param array<string, mixed> $asked
     * @return array{int, array<string, mixed>}
     */
    private function create(array $asked): array
    {
        if ($this->refusal !== null) {
            return self::failure(409, $this->refusal);
        }
        if (isset($this->payments[$asked['tx_ref']]['meta'])) {
            return self::failure(409, 'tx_ref_taken');
        }
        if (!isset($this->payments[$asked['tx_ref']])) {
            $this->make($asked['tx_ref'], ['status' => 'success']);
        }

        return $this->find($asked['tx_ref']);
    }

    /**
     * @param array<string, string> $asked
     * @return array{int, array<string, mixed>}
     */
    private function refund(string $txRef, array $asked): array
    {
        $all = &$this->payments[$txRef]['refunds'];
        $all[$asked['refund_ref']] ??= $asked + ['status' => $this->refundStatus, 'amount_minor' => (int) str_replace('.', '', $asked['amount'])];

        return [200, ['data' => $all[$asked['refund_ref']]]];
    }

    /** @return array{int, array<string, mixed>} */
    private static function failure(int $status, string $code): array
    {
        return [$status, ['status' => 'failed', 'code' => $code, 'message' => $code]];
    }
}
