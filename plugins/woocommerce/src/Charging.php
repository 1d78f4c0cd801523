<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConflictException;
use Florin\Exception\NotFoundException;
use Florin\Money;
use Florin\Result\Payment;

/** Charges a saved method for an order. For callers that hold the order's lock. */
final class Charging
{
    private const ATTEMPTS_AT_ONCE = 5;

    /** @return Payment as Florin has it now; the order is where the payment is */
    public static function order(OrderState $state, string $methodId, bool $mailsCustomer): Payment
    {
        $http = new Http(Settings::mode());
        $payment = self::pending($http, $state) ?? self::charge($http, $state, $methodId, $mailsCustomer);
        Sync::apply($state, $payment);
        if (Charge::outcome($payment) === Charge::ENDED) {
            Tokens::forget($methodId);
        }

        return $payment;
    }

    /** A charge that is not decided yet must not be made a second time. */
    private static function pending(Http $http, OrderState $state): ?Payment
    {
        if ($state->txRef() === '' || $state->mode() !== Settings::mode() || $state->order->get_meta('_florin_charged') !== $state->txRef()) {
            return null;
        }
        $payment = $http->payment($state->txRef());

        return $state->isFor($payment) && in_array($payment->status, ['pending', 'success'], true) ? $payment : null;
    }

    private static function charge(Http $http, OrderState $state, string $methodId, bool $mailsCustomer): Payment
    {
        $order = $state->order;
        for ($tried = 1; ; ++$tried) {
            $txRef = $state->nextAttempt();
            $state->keep('_florin_charged', $txRef);
            $order->save();
            try {
                return Payment::from($http->call('POST', '/api/saved-methods/' . rawurlencode($methodId) . '/charges', array_filter([
                    'tx_ref' => $txRef,
                    'amount' => Money::toDecimal($state->totalMinor(), $order->get_currency()),
                    'currency' => $order->get_currency(),
                    /* translators: %s: order number */
                    'description' => mb_substr(sprintf(__('Order %s', 'florin-payments'), $order->get_order_number()), 0, 255),
                    'callback_url' => Settings::isConnected(Settings::mode()) ? null : Settings::callbackUrl(),
                    'meta' => ['order_id' => (string) $order->get_id(), 'order' => $state->mark()],
                    'email_customer' => $mailsCustomer,
                ], static fn (mixed $value): bool => $value !== null), [], true));
            } catch (NotFoundException $error) {
                // Of another account, as after the shop was connected to another Florin.
                Tokens::forget($methodId);
                throw $error;
            } catch (ConflictException $error) {
                if ($error->errorCode === 'method_ended') {
                    Tokens::forget($methodId);
                }
                // Used before, as after a restored backup: the next one is free.
                if ($error->errorCode !== 'tx_ref_taken' || $tried >= self::ATTEMPTS_AT_ONCE) {
                    throw $error;
                }
            }
        }
    }
}
