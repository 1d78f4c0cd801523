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
    /** @return Payment as Florin has it now; the order is where the payment is */
    public static function order(OrderState $state, string $methodId, bool $mailsCustomer): Payment
    {
        $newest = Attempt::newest($state);
        $payment = $newest->payment;
        // A charge that is not decided yet must not be made a second time.
        if ($payment === null || ($payment->status !== 'success' && !Charge::isOpen($payment))) {
            if ($payment !== null) {
                $newest->end($payment);
            }
            $payment = $newest->next(
                static fn (string $txRef): Payment => self::charge($state, $txRef, $methodId, $mailsCustomer),
                Charge::isOpen(...),
            );
        }
        Sync::apply($state, $payment);
        if (Charge::outcome($payment) === Charge::ENDED) {
            Tokens::forget($methodId);
        }

        return $payment;
    }

    private static function charge(OrderState $state, string $txRef, string $methodId, bool $mailsCustomer): Payment
    {
        $order = $state->order;
        try {
            return Payment::from((new Http($state->mode()))->call('POST', '/api/saved-methods/' . rawurlencode($methodId) . '/charges', array_filter([
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
            // The method belongs to another account, as after the shop was connected to another Florin.
            Tokens::forget($methodId);
            throw $error;
        } catch (ConflictException $error) {
            if ($error->errorCode === 'method_ended') {
                Tokens::forget($methodId);
            }
            throw $error;
        }
    }
}
