<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Result\Payment;
use WC_Order;

/** What the plugin remembers on an order. Only through the order's own methods, so that it works with every order storage. */
final class OrderState
{
    /** The newest payment, once it is closed. */
    public const CLOSED = '_florin_closed';

    public function __construct(public readonly WC_Order $order)
    {
    }

    public function attempt(): int
    {
        return (int) $this->order->get_meta('_florin_attempt');
    }

    public function txRef(): string
    {
        return $this->attempt() === 0 ? '' : TxRef::of(Settings::prefix(), $this->order->get_id(), $this->attempt());
    }

    public function paidTxRef(): string
    {
        return (string) $this->order->get_meta('_florin_paid_tx_ref');
    }

    public function closedTxRef(): string
    {
        return (string) $this->order->get_meta(self::CLOSED);
    }

    /** Whether money completes the order: not if the shop has settled or ended it. */
    public function takesPayment(): bool
    {
        $statuses = apply_filters('woocommerce_valid_order_statuses_for_payment_complete', ['on-hold', 'pending', 'failed', 'cancelled'], $this->order);

        // A customer who is back at the checkout made of blocks has a draft again.
        return $this->order->has_status([...(array) $statuses, 'checkout-draft']) || $this->order->needs_payment();
    }

    /** What the customer of the open payment is asked to agree to; empty: nothing is saved. */
    public function saves(): string
    {
        return (string) $this->order->get_meta('_florin_save');
    }

    public function isPaidElsewhere(): bool
    {
        return $this->paidTxRef() === '' && $this->order->is_paid() && $this->order->get_payment_method() !== Gateway::ID;
    }

    /**
     * Proves that a payment is for this order: a copy of the shop has the same prefix and counts its orders from the same number.
     */
    public function mark(): string
    {
        return substr(hash('sha256', $this->order->get_order_key()), 0, 16);
    }

    public function isFor(Payment $payment): bool
    {
        // Florin forgets the details of customers who are erased.
        return ($payment->data['meta']['order'] ?? $this->mark()) === $this->mark();
    }

    /** The mode in which the order is paid, whatever the settings say later. */
    public function mode(): string
    {
        $mode = (string) $this->order->get_meta('_florin_mode');

        return $mode === '' ? Settings::mode() : $mode;
    }

    public function nextAttempt(): string
    {
        $this->keep('_florin_attempt', (string) ($this->attempt() + 1));
        $this->keep('_florin_mode', Settings::mode());
        // Before Florin is asked: what it makes must be found again.
        $this->order->save();

        return $this->txRef();
    }

    public function keep(string $name, mixed $value): void
    {
        $this->order->update_meta_data($name, $value);
    }

    /** @return list<string> refund_refs that the order has */
    public function refundRefs(): array
    {
        $refs = $this->order->get_meta('_florin_refund_refs');

        return is_array($refs) ? array_values($refs) : [];
    }

    /** @param list<string> $refs */
    public function keepRefundRefs(array $refs): void
    {
        $this->keep('_florin_refund_refs', $refs);
        $this->order->save();
    }

    /** Writes a note the first time that this happens, however often Florin says so. */
    public function noteOnce(string $what, string $note): void
    {
        $seen = $this->order->get_meta('_florin_noted');
        $seen = is_array($seen) ? $seen : [];
        if (in_array($what, $seen, true)) {
            return;
        }
        $this->keep('_florin_noted', [...$seen, $what]);
        $this->order->save();
        $this->order->add_order_note($note);
    }

    public function totalMinor(): int
    {
        return Lines::toMinor((string) $this->order->get_total(), $this->order->get_currency());
    }
}
