<?php

declare(strict_types=1);

namespace FlorinWoo\Unexpected;

use Florin\Exception\FlorinException;
use FlorinWoo\Input;
use FlorinWoo\Lock;
use FlorinWoo\OrderState;
use FlorinWoo\Refunding;
use FlorinWoo\Settings;
use FlorinWoo\Sync;
use RuntimeException;
use WC_Order;

/** Above an order, the list of orders and the dashboard: money that its order does not expect, with what the shop can do about it. */
final class Notice
{
    private const ACTION = 'florin_unexpected';
    private const RIGHT = 'edit_shop_orders';
    private const ANSWER_S = 60;

    public static function show(): void
    {
        $screen = get_current_screen();
        $screens = ['dashboard', 'shop_order', 'edit-shop_order', function_exists('wc_get_page_screen_id') ? wc_get_page_screen_id('shop-order') : ''];
        if ($screen === null || !in_array($screen->id, $screens, true) || !current_user_can(self::RIGHT)) {
            return;
        }
        $answer = get_transient(self::answerName());
        if (is_array($answer)) {
            delete_transient(self::answerName());
            printf('<div class="notice notice-%s is-dismissible"><p>%s</p></div>', esc_attr($answer['kind']), esc_html($answer['text']));
        }
        // phpcs:ignore WordPress.Security.NonceVerification -- only chooses what is shown
        $orderId = $screen->base === 'dashboard' ? 0 : absint($_GET['id'] ?? $_GET['post'] ?? 0);
        foreach (Payments::open($orderId === 0 ? null : $orderId) as $record) {
            self::showOne($record, $orderId !== 0);
        }
    }

    /** @param array<string, mixed> $record */
    private static function showOne(array $record, bool $isOnItsOrder): void
    {
        $order = wc_get_order($record['order']);
        /* translators: %s: order number */
        $number = sprintf(__('Unexpected payment for order #%s.', 'florin-payments'), $record['number']);
        $title = match (true) {
            $isOnItsOrder => __('Unexpected payment.', 'florin-payments'),
            $order instanceof WC_Order => '<a href="' . esc_url($order->get_edit_order_url()) . '">' . esc_html($number) . '</a>',
            default => esc_html($number),
        };
        $left = Payments::amount($record['left'], $record['currency']);
        /* translators: %s: amount */
        $refund = sprintf(__('Refund %s at Florin', 'florin-payments'), $left);
        /* translators: %s: amount */
        $question = sprintf(__('Refund %s to the customer?', 'florin-payments'), $left);
        echo '<div class="notice notice-error"><form method="post" action="', esc_url(admin_url('admin-post.php')), '"><p><strong>', wp_kses_post($title), '</strong> ', esc_html(Payments::describe($record)), '</p><p>';
        wp_nonce_field(self::ACTION . $record['tx_ref']);
        echo '<input type="hidden" name="action" value="', esc_attr(self::ACTION), '"><input type="hidden" name="tx_ref" value="', esc_attr($record['tx_ref']), '">';
        echo '<button class="button button-primary" name="do" value="refund" onclick="return confirm(', esc_attr((string) wp_json_encode($question)), ')">', esc_html($refund), '</button> ';
        echo '<button class="button" name="do" value="keep">', esc_html__('Keep the money', 'florin-payments'), '</button></p></form></div>';
    }

    public static function answer(): never
    {
        $txRef = sanitize_text_field(wp_unslash((string) ($_POST['tx_ref'] ?? '')));
        check_admin_referer(self::ACTION . $txRef);
        $record = current_user_can(self::RIGHT) ? Payments::find($txRef) : null;
        if ($record === null) {
            wp_die(esc_html__('You may not do this.', 'florin-payments'), '', 403);
        }
        $isRefund = sanitize_key(wp_unslash((string) ($_POST['do'] ?? ''))) === 'refund';
        try {
            $answer = ['kind' => 'success', 'text' => $isRefund ? self::refund($record) : self::keep($record)];
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("The payment $txRef was not refunded: {$error->getMessage()}");
            $answer = ['kind' => 'error', 'text' => Input::withoutSecrets($error->getMessage())];
        }
        set_transient(self::answerName(), $answer, self::ANSWER_S);
        wp_safe_redirect(wp_get_referer() ?: admin_url());
        exit;
    }

    /** @param array<string, mixed> $record */
    private static function refund(array $record): string
    {
        $text = Refunding::sendBack($record);
        if (wc_get_order($record['order']) instanceof WC_Order) {
            Sync::order($record['order'], $record['tx_ref']);
        } else {
            DeletedOrders::report($record['tx_ref']);
        }

        return $text;
    }

    /**
     * Later refunds of an order that nothing else paid are taken from this payment.
     *
     * @param array<string, mixed> $record
     */
    private static function keep(array $record): string
    {
        Payments::write(['kept' => true] + $record);
        $amount = Payments::amount($record['left'], $record['currency']);
        /* translators: 1: amount 2: reference */
        $text = sprintf(__('You keep the %1$s that Florin received (reference %2$s).', 'florin-payments'), $amount, $record['reference']);
        if (wc_get_order($record['order']) instanceof WC_Order) {
            Lock::order($record['order'], static function (WC_Order $order) use ($record, $text): void {
                $state = new OrderState($order);
                if ($state->paidTxRef() === '' && !$state->isPaidElsewhere() && $record['currency'] === $order->get_currency()) {
                    $state->keep('_florin_paid_tx_ref', $record['tx_ref']);
                }
                $state->noteOnce("kept:{$record['tx_ref']}", $text);
            });
        }

        return $text;
    }

    private static function answerName(): string
    {
        return 'florin_payments_answer_' . get_current_user_id();
    }
}
