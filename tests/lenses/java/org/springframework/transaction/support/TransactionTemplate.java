package org.springframework.transaction.support;

import java.util.function.Consumer;
import org.springframework.transaction.TransactionStatus;

public interface TransactionTemplate {
    void executeWithoutResult(Consumer<TransactionStatus> action);
}
