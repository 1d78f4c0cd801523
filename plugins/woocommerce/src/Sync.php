<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\NotFoundException;
use Florin\Money;
use Florin\Result\Payment;
use Florin\Result\SavedMethod;
use FlorinWoo\Unexpected\Payments;
use RuntimeException;
use WC_Order_Refund;

/** Brings an order to where its payment is. Asks Florin each time, under the order's lock, so that calls may come twice, late or out of order. */
final class Sync
{
    /** @return Payment as Florin has it now */
    public static function order(int $orderId, string $txRef): Payment
    {
        return Lock::order($orderId, static function ($order) use ($txRef): Payment {
            $state = new OrderState($order);
            $payment = (new Http($state->mode()))->payment($txRef);
            if (!$state->isFor($payment)) {
                throw new NotFoundException("The payment $txRef is for an order of a copy of this shop");
            }
            self::apply($state, $payment);

            return $payment;
        });
    }

    /** For callers that hold the lock. */
    public static function apply(OrderState $state, Payment $payment): void
    {
        $order = $state->order;
        $paidBy = $state->isPaidElsewhere() ? $order->get_payment_method() : $state->paidTxRef();
        $outcome = Outcome::of($payment, $state->totalMinor(), $order->get_currency(), $paidBy, $state->txRef(), $state->takesPayment());
        match ($outcome) {
            Outcome::PAID => self::paid($state, $payment),
            Outcome::PAID_TWICE, Outcome::SETTLED, Outcome::WRONG_AMOUNT => self::unexpected($state, $payment, $outcome),
            Outcome::FAILED => $order->needs_payment() ? self::failed($state, $payment) : null,
            Outcome::CANCELLED => $order->needs_payment() ? $state->noteOnce(
                "cancelled:$payment->txRef",
                __('The payment was cancelled at Florin. The order can still be paid.', 'florin-payments'),
            ) : null,
            default => null,
        };
        if ($state->paidTxRef() === $payment->txRef) {
            self::refunds($state, $payment);
            self::dispute($state, $payment);
        }
    }

    /** Money that the order does not expect: the shop decides what becomes of it. */
    private static function unexpected(OrderState $state, Payment $payment, string $why): void
    {
        if ($why === Outcome::WRONG_AMOUNT && $state->order->needs_payment()) {
            $state->order->update_status('on-hold');
        }
        $record = Payments::report($payment, $why, $state);
        if ($record !== null) {
            $state->noteOnce("unexpected:$payment->txRef", Payments::describe($record));
        }
        foreach (Outcome::newRefunds($payment, $state->refundRefs()) as $refund) {
            self::noteRefund($state, $refund);
        }
        self::dispute($state, $payment);
    }

    private static function paid(OrderState $state, Payment $payment): void
    {
        $order = $state->order;
        $wasCancelled = $order->has_status('cancelled');
        if ($order->has_status('checkout-draft')) {
            $order->set_status('pending');
        }
        // The customer may have looked at another way to pay since; without this the order page couldn't refund.
        if ($order->get_payment_method() !== Gateway::ID) {
            $order->set_payment_method(Gateway::ID);
            $order->set_payment_method_title(Settings::get('title'));
        }
        // Saved together with the order's new status: a server that dies in between must find the order unpaid.
        $state->keep('_florin_paid_tx_ref', $payment->txRef);
        if (!$order->payment_complete($payment->reference) && !$order->is_paid()) {
            throw new RuntimeException('WooCommerce could not complete the order');
        }
        // WooCommerce saves nothing if the owner has set the status by hand.
        $order->set_transaction_id($payment->reference);
        $order->save();
        if (is_array($payment->data['saved_method'] ?? null)) {
            Tokens::keep($order, SavedMethod::from($payment->data['saved_method']), $payment->mode);
        }
        $how = trim((string) ($payment->data['method']['brand'] ?? '') . ' ' . (string) ($payment->data['method']['last4'] ?? ''));
        /* translators: 1: amount 2: card such as "Visa 4242" 3: reference */
        $note = sprintf(__('Paid with Florin: %1$s %2$s. Reference %3$s.', 'florin-payments'), Payments::amount($payment->amountMinor, $payment->currency), $how, $payment->reference);
        $cancelled = $wasCancelled ? ' ' . __('The order was cancelled while the customer paid: check that you can still deliver it.', 'florin-payments') : '';
        $test = $payment->mode === 'test' ? ' ' . __('Test mode: no money moved.', 'florin-payments') : '';
        $state->noteOnce("paid:$payment->txRef", $note . $cancelled . $test);
        Payments::forget($payment->txRef);
    }

    private static function failed(OrderState $state, Payment $payment): void
    {
        if ($state->order->has_status('pending')) {
            $state->keep(OrderState::CLOSED, $payment->txRef);
            $state->order->update_status('failed');
        }
        $why = (string) ($payment->data['failure']['message'] ?? '');
        $note = $payment->status === 'expired'
            ? __('The payment was not finished in time. The customer can pay again.', 'florin-payments')
            : trim(__('The payment failed. The customer can pay again.', 'florin-payments') . " $why");
        $state->noteOnce("$payment->status:$payment->txRef", $note);
    }

    /** Refunds that were made in Florin appear on the order. */
    private static function refunds(OrderState $state, Payment $payment): void
    {
        foreach (Outcome::newRefunds($payment, $state->refundRefs()) as $refund) {
            $ref = (string) $refund['refund_ref'];
            $state->keepRefundRefs([...$state->refundRefs(), $ref]);
            $made = wc_create_refund([
                'order_id' => $state->order->get_id(),
                'amount' => Money::toDecimal((int) $refund['amount_minor'], $payment->currency),
                'reason' => (string) ($refund['reason'] ?? ''),
                'refund_payment' => false,
            ]);
            $more = $made instanceof WC_Order_Refund ? '' : ' ' . __('It could not be added here: add it by hand.', 'florin-payments');
            self::noteRefund($state, $refund, $more);
        }
        foreach (Outcome::refunds($payment) as $refund) {
            $ref = (string) ($refund['refund_ref'] ?? '');
            if (($refund['status'] ?? '') === 'failed' && in_array($ref, $state->refundRefs(), true)) {
                /* translators: 1: amount 2: reference */
                $state->noteOnce("refund-failed:$ref", sprintf(__('The refund of %1$s (%2$s) failed: the customer did not get the money. Delete it here and refund again.', 'florin-payments'), (string) $refund['amount'], $ref));
            }
        }
    }

    /** @param array<string, mixed> $refund */
    private static function noteRefund(OrderState $state, array $refund, string $more = ''): void
    {
        $ref = (string) $refund['refund_ref'];
        /* translators: 1: amount 2: reference */
        $state->noteOnce("refund:$ref", sprintf(__('%1$s was refunded in Florin, reference %2$s.', 'florin-payments'), (string) $refund['amount'], $ref) . $more);
    }

    private static function dispute(OrderState $state, Payment $payment): void
    {
        $dispute = $payment->data['dispute'] ?? null;
        if (!is_array($dispute)) {
            return;
        }
        $status = (string) ($dispute['status'] ?? '');
        $text = match ($status) {
            'won' => __('The dispute was decided for you.', 'florin-payments'),
            'lost' => __('The dispute was lost: the bank keeps the money.', 'florin-payments'),
            'under_review' => __('The bank is deciding about the dispute.', 'florin-payments'),
            /* translators: %s: date */
            default => sprintf(__('The customer disputed this payment. Answer by %s, and hold the goods if you have not shipped them.', 'florin-payments'), (string) ($dispute['evidence_due_at'] ?? '–')),
        };
        $state->noteOnce('dispute:' . (string) ($dispute['id'] ?? '') . ":$status", $text);
    }
}
