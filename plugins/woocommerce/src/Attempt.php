<?php

declare(strict_types=1);

namespace FlorinWoo;

use Closure;
use Florin\Exception\ConflictException;
use Florin\Exception\NotFoundException;
use Florin\Result\Payment;

/** The newest attempt to pay an order, and the way to the next one. For callers that hold the order's lock. */
final class Attempt
{
    private const TX_REFS_AT_ONCE = 5;

    private function __construct(
        private readonly OrderState $state,
        private readonly Http $http,
        /** Null: Florin has none of this order. */
        public readonly ?Payment $payment,
        private readonly bool $isUnused,
    ) {
    }

    public static function newest(OrderState $state): self
    {
        $http = new Http(Settings::mode());
        if ($state->txRef() === '') {
            return new self($state, $http, null, false);
        }
        if ($state->mode() !== Settings::mode()) {
            Cancelling::cancel($state->txRef(), $state->mode());

            return new self($state, $http, null, false);
        }
        try {
            $payment = $http->payment($state->txRef());

            return new self($state, $http, $state->isFor($payment) ? $payment : null, false);
        } catch (NotFoundException) {
            // Refused, or still on its way after a lost answer. Only under the same tx_ref Florin can't make both.
            return new self($state, $http, null, true);
        }
    }

    /**
     * Makes a payment under a tx_ref that no payment has. Returns the one that an earlier call made if its answer was lost.
     *
     * @param Closure(string): Payment $make
     * @param Closure(Payment): bool $isWanted whether an open payment is what $make would make
     */
    public function next(Closure $make, Closure $isWanted): Payment
    {
        for ($tried = 1; ; ++$tried) {
            $txRef = $this->isUnused && $tried === 1 ? $this->state->txRef() : $this->state->nextAttempt();
            try {
                return $make($txRef);
            } catch (ConflictException $error) {
                if ($error->errorCode !== 'tx_ref_taken' || $tried >= self::TX_REFS_AT_ONCE) {
                    throw $error;
                }
            }
            $there = $this->http->payment($txRef);
            if (!$this->state->isFor($there)) {
                // Of a copy of this shop: the next one is free.
                continue;
            }
            if (in_array($there->status, Outcome::PAID_STATUSES, true) || ($there->status === 'pending' && $isWanted($there))) {
                return $there;
            }
            $this->end($there);
        }
    }

    /** Throws if the customer is paying it at this moment. */
    public function end(Payment $payment): void
    {
        if ($payment->status === 'pending') {
            $this->http->call('POST', '/api/transaction/' . rawurlencode($payment->txRef) . '/cancel');
        }
    }
}
