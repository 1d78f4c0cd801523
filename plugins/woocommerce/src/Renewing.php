<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\FlorinException;
use RuntimeException;
use WC_Order;

/** WooCommerce Subscriptions, if the shop has it: it decides when a renewal is due, and Florin charges the saved method. */
final class Renewing
{
    private const METHOD = '_florin_method';

    public static function isThere(): bool
    {
        return function_exists('wcs_order_contains_subscription') && function_exists('wcs_get_subscriptions_for_order');
    }

    /** An order that starts, renews or changes a subscription always saves its method. */
    public static function isFor(WC_Order $order): bool
    {
        return self::isThere() && wcs_order_contains_subscription($order, 'any');
    }

    /** On the order, and on its subscriptions: Subscriptions copies it from there to every renewal. */
    public static function remember(WC_Order $order, string $methodId): void
    {
        $order->update_meta_data(self::METHOD, $methodId);
        $order->save();
        foreach (self::isFor($order) ? wcs_get_subscriptions_for_order($order, ['order_type' => 'any']) : [] as $subscription) {
            $subscription->update_meta_data(self::METHOD, $methodId);
            $subscription->save();
        }
    }

    public static function charge(WC_Order $renewal): void
    {
        try {
            $payment = Lock::order($renewal->get_id(), static function ($order) {
                if ($order->is_paid()) {
                    return null;
                }
                $method = (string) $order->get_meta(self::METHOD);
                if ($method === '') {
                    throw new RuntimeException(__('The subscription has no saved method. The customer can pay this order themselves.', 'florin-payments'));
                }

                return Charging::order(new OrderState($order), $method, true);
            });
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("Renewal {$renewal->get_id()} was not charged: {$error->getMessage()}");
            /* translators: %s: reason */
            $note = sprintf(__('Florin did not charge the saved method: %s', 'florin-payments'), Input::withoutSecrets($error->getMessage()));
            // If only the answer was lost, Florin may have reported the payment by now.
            Lock::order($renewal->get_id(), static fn ($order) => $order->is_paid() || $order->update_status('failed', $note));

            return;
        }
        if ($payment !== null && Charge::outcome($payment) === Charge::NEEDS_CUSTOMER) {
            $order = wc_get_order($renewal->get_id());
            if ($order instanceof WC_Order) {
                (new OrderState($order))->noteOnce("asked:$payment->txRef", __('The customer’s bank wants them to approve this charge. Florin e-mailed them a link.', 'florin-payments'));
            }
        }
    }
}
