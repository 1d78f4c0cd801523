<?php

declare(strict_types=1);

namespace Florin;

use Florin\Result\Payment;
use Florin\Result\Payout;
use Florin\Result\Refund;
use Florin\Result\SavedMethod;

/** A verified notification. */
final class Event
{
    /** @param array<string, mixed> $data */
    public function __construct(
        /** The same each time an event is delivered: remember it, and an event that arrives twice is handled once. */
        public readonly ?string $id,
        /** Such as payment.success. Newer servers may send events you don't know: ignore those. */
        public readonly string $name,
        public readonly array $data,
    ) {
    }

    /** Of payment.… and dispute.… */
    public function payment(): Payment
    {
        return Payment::from($this->data);
    }

    /** Of refund.success and refund.failed. */
    public function refund(): Refund
    {
        return Refund::from($this->data);
    }

    /** Of method.saved and method.ended. */
    public function savedMethod(): SavedMethod
    {
        return SavedMethod::from($this->data);
    }

    /** Of payout.arrived and payout.failed. */
    public function payout(): Payout
    {
        return Payout::from($this->data);
    }
}
